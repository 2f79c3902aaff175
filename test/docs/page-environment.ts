import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { startApp } from "./app.ts";
import { type Page, ROOT } from "./read-page.ts";

const PROJECT = fileURLToPath(ROOT);

/** Each command of a script counts. */
const STRICTLY = ["--norc", "-euo", "pipefail", "-c"];
const ON_PIPES: SpawnOptions = { stdio: ["ignore", "pipe", "pipe"] };

/** What one command did. */
export interface Ran {
  readonly code: number | null;
  /** Standard output, and standard error as it came between. */
  readonly printed: string;
  readonly stdout: string;
}

/** A command that goes on in the background. */
export interface Background extends AsyncDisposable {
  readonly printed: () => string;
  /** Resolves once this holds of what was printed; throws when the command ends before, or takes too long. */
  until(holds: (printed: string) => boolean): Promise<void>;
}

/** A folder where the package is installed, with a sandbox on a port of its own, in place of 8254, and an application in place of 3000. */
export interface PageEnvironment extends AsyncDisposable {
  readonly folder: string;
  /** Text as it is written, for this environment's ports. */
  readonly here: (written: string) => string;
  /** What was printed, as it would be with the usual ports. */
  readonly asWritten: (printed: string) => string;
  /** Writes this environment's ports into the files of a folder. */
  readonly useOwnPorts: (folder: string) => void;
  /** Runs a script to its end. */
  run(script: string, options?: Options): Promise<Ran>;
  start(script: string, options?: Options): Background;
  /** Starts the sandbox, unless the page did. */
  ensureSandbox(): Promise<void>;
  /** The page starts its own. */
  leaveSandbox(): void;
}

interface Options {
  /** In the project itself, in place of the folder. */
  readonly inProject?: boolean;
  /** A sandbox of this script alone, on a port that nobody else has. */
  readonly alone?: boolean;
}

export async function openPageEnvironment({ how }: Page): Promise<PageEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-docs-"));
  install(folder, how.get("recipe"), how.get("packages"));
  // What a page copies from a clone.
  if (how.get("place") === "clone")
    cpSync(new URL("docs/start/", ROOT), join(folder, "docs/start"), { recursive: true });
  const [port, appPort, otherPort] = await freePorts();
  const swaps = [
    ["8254", String(port)],
    ["3000", String(appPort)],
  ] as const;
  const here = (written: string): string => swaps.reduce((text, [usual, own]) => text.replaceAll(usual, own), written);
  const useOwnPorts = (below: string): void => writeOwnPorts(join(folder, below), here);
  if (/^(examples|docs\/(start|samples|recipes\/(hard-coded-hosts|paid-first)))\b/.test(how.get("recipe") ?? ""))
    useOwnPorts(".");
  // The fixtures for these runners would look for a sandbox there.
  const isOnFixtures = /^docs\/recipes\/(vitest|jest)$/.test(how.get("recipe") ?? "");
  const env = environment(folder, isOnFixtures ? undefined : port);
  const app = await startApp(how.get("app"), { port: appPort, gateway: `http://127.0.0.1:${port}` });
  const begun: Background[] = [];
  let hasSandbox = how.get("sandbox") === "none";

  const start = (script: string, { inProject = false, alone = false }: Options = {}): Background => {
    const ports = alone ? { KREDO_PORT: String(otherPort) } : { KREDO_PORT: String(port) };
    // `serve` and `npm start` take the port from the environment.
    const background = inBackground(
      spawn("bash", [...STRICTLY, script], {
        ...ON_PIPES,
        cwd: inProject ? PROJECT : folder,
        env: { ...env, ...ports },
        detached: true,
      }),
    );
    begun.push(background);
    return background;
  };
  return {
    folder,
    here,
    asWritten: (printed) => swaps.reduce((text, [usual, own]) => text.replaceAll(own, usual), printed),
    useOwnPorts,
    run: (script, { inProject = false } = {}) =>
      toItsEnd(spawn("bash", [...STRICTLY, script], { ...ON_PIPES, cwd: inProject ? PROJECT : folder, env })),
    start,
    leaveSandbox: () => void (hasSandbox = true),
    async ensureSandbox() {
      if (hasSandbox) return;
      hasSandbox = true;
      const flags = how.get("serve") ?? "";
      await start(`npx kredo serve --seed 7 --latency 50ms ${flags}`).until((printed) => printed.includes("Ready."));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(begun.map((background) => background[Symbol.asyncDispose]()));
      await app?.close();
    },
  };
}

/**
 * The package, as an installed one is found; and `npx` for what is installed, without a look at any registry. A recipe is the folder
 * itself, which installs for itself what npm can give.
 */
function install(folder: string, recipe: string | undefined, packages = ""): void {
  mkdirSync(join(folder, "bin"));
  writeScript(join(folder, "bin/npx"), `name=$1; shift; exec "${join(folder, "node_modules/.bin")}/$name" "$@"`);
  if (HAS_DEBIANS_PYTEST) writeScript(join(folder, "bin/python3"), 'exec /usr/bin/python3 "$@"');
  if (recipe !== undefined) copyRecipe(new URL(`${recipe}/`, ROOT), folder);
  const description = join(folder, "package.json");
  if (existsSync(description) && readFileSync(description, "utf8").includes('"kredo"')) return;
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(inject("installed"), join(folder, "node_modules/kredo"));
  for (const name of packages.split(" ").filter(Boolean))
    symlinkSync(join(PROJECT, "node_modules", name), join(folder, "node_modules", name));
  if (!existsSync(description)) writeFileSync(description, JSON.stringify(PACKAGE));
  writeScript(
    join(folder, "node_modules/.bin/kredo"),
    `exec "${process.execPath}" "${inject("installed")}/dist/kredo.js" "$@"`,
  );
}

const PACKAGE = {
  private: true,
  type: "module",
  scripts: {
    test: "curl -sS -u $KREDO_CONSUMER_KEY:$KREDO_CONSUMER_SECRET $KREDO_BASE_URL/account-details",
    "test:integration": "npx kredo send airtime 254712345678 100 --wait",
  },
};

/** In the files of a quick start, which name the usual ports. */
function writeOwnPorts(folder: string, here: (written: string) => string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith("node_modules/") && /\.(m?js|php|py|java|sh|yaml)$/.test(name),
  );
  for (const file of files.map((name) => join(folder, name))) writeFileSync(file, here(readFileSync(file, "utf8")));
}

/** With the package of this tree in place of a published one. */
function copyRecipe(recipe: URL, folder: string): void {
  cpSync(recipe, folder, { recursive: true });
  const file = join(folder, "package.json");
  if (!existsSync(file)) return;
  writeFileSync(file, readFileSync(file, "utf8").replace(/("kredo": )"[^"]*"/, `$1"file:${inject("tarball")}"`));
}

/** Asked once and first: a receiver in this process would not answer meanwhile. */
const HAS_DEBIANS_PYTEST = spawnSync("/usr/bin/python3", ["-c", "import pytest"]).status === 0;

function writeScript(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** What a person's shell has, and nothing of this test's. */
function environment(folder: string, port: number | undefined): NodeJS.ProcessEnv {
  const { PATH = "", HOME = folder } = process.env;
  return {
    PATH: `${join(folder, "bin")}:${PATH}`,
    HOME,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    npm_config_ignore_scripts: "true",
    ...(port !== undefined && { KREDO_URL: `http://127.0.0.1:${port}` }),
  };
}

async function freePorts(): Promise<[number, number, number]> {
  const servers = [createServer(), createServer(), createServer()].map((server) => server.listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const [one = 0, two = 0, three = 0] = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return [one, two, three];
}

async function toItsEnd(child: ChildProcess): Promise<Ran> {
  const { printed, stdout } = listenTo(child);
  const [code] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, printed: printed(), stdout: stdout() };
}

function listenTo(child: ChildProcess) {
  let printed = "";
  let stdout = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    printed += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return { printed: () => printed, stdout: () => stdout };
}

function inBackground(child: ChildProcess): Background {
  const { printed } = listenTo(child);
  const ended = once(child, "close");
  const dispose = async (): Promise<void> => {
    // The shell and all that it started.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  return {
    printed,
    async until(holds) {
      const limit = AbortSignal.timeout(60_000);
      const aborted = once(limit, "abort");
      while (!holds(printed())) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} after printing\n${printed()}`);
        if (limit.aborted) throw new Error(`it only printed\n${printed()}`);
        await Promise.race([ended, chunk(child), aborted]);
      }
    },
    [Symbol.asyncDispose]: dispose,
  };
}

async function chunk({ stdout, stderr }: ChildProcess): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  await Promise.race([stdout, stderr].flatMap((stream) => (stream === null ? [] : [once(stream, "data", { signal })])));
  gone.abort();
}
