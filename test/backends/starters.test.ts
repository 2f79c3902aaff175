import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { ROOT } from "../support/copy-tree.ts";
import { startExampleShop } from "../support/example-shop.ts";
import { defectsIn, exploreAt, type Explored } from "../support/explored.ts";
import { freePorts } from "../support/free-ports.ts";
import { rehearseAt, type Rehearsed } from "../support/rehearse-all.ts";
import { rehearsalNames, shippedRehearsal } from "../support/rehearsed.ts";

const JARS = '"$(ls /usr/share/java/{spring3-,tomcat9-,jackson-,commons-logging,servlet-api}*.jar | paste -sd:)"';

/** Each as its page starts it, with what Debian's packages bring. */
const STARTERS = [
  { name: "express", start: "node server.mjs", says: "listening on", needs: join(ROOT, "node_modules/express") },
  {
    name: "php",
    start: "PHP_CLI_SERVER_WORKERS=4 php -S localhost:3000 server.php",
    says: "started",
    needs: "/usr/bin/php",
  },
  {
    name: "laravel",
    start: "PHP_CLI_SERVER_WORKERS=4 php -S localhost:3000 server.php",
    says: "started",
    needs: "/usr/share/php/Illuminate/autoload.php",
  },
  {
    name: "django",
    start: "/usr/bin/python3 -u shop.py runserver --noreload 3000",
    says: "CONTROL-C",
    needs: "/usr/lib/python3/dist-packages/django",
  },
  {
    name: "spring",
    start: `javac -d out -cp ${JARS} *.java && java -cp out:${JARS} shop.Serve`,
    says: "listening on",
    needs: "/usr/share/java/spring3-web.servlet.jar",
  },
] as const;

type Starter = (typeof STARTERS)[number];

/** In CI everything has to be there. */
const here = STARTERS.filter(({ needs }) => process.env["CI"] === "true" || existsSync(needs));

test.concurrent.each(here)("the $name shop of the documentation has no defect", async (starter) => {
  const { json, exitCode } = await exploreStarter(starter);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
  expect(json.done).toBe(json.total);
});

test.concurrent("the tutorial's shop has no defect once it is fixed", async () => {
  await using sandbox = await createSandbox();
  using shop = await startExampleShop(sandbox, {});

  const { json, exitCode } = await exploreAt(sandbox, shop.map, ["--json"]);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
});

test.concurrent.each(here)(
  "the $name shop of the documentation passes every shipped rehearsal of airtime",
  async (starter) => {
    await using sandbox = await createSandbox();
    await using shop = await startStarter(starter, sandbox);

    const rehearsed = await rehearseAt(sandbox, shop.map, OF_AIRTIME);

    expect(outcomeOf(rehearsed)).toEqual(ALL_PASSED);
  },
);

test.concurrent("the tutorial's shop passes every shipped rehearsal of airtime", async () => {
  await using sandbox = await createSandbox();
  using shop = await startExampleShop(sandbox, {});

  const rehearsed = await rehearseAt(sandbox, shop.map, OF_AIRTIME);

  expect(outcomeOf(rehearsed)).toEqual(ALL_PASSED);
});

test.concurrent("with the app map that kredo init writes, filled in, a shop passes every shipped rehearsal of airtime", async () => {
  await using sandbox = await createSandbox();
  using shop = await startExampleShop(sandbox, {});
  const written = readFileSync(join(ROOT, "src/cli/init/files/kredo.app.yaml"), "utf8");
  const filledIn = written
    .replace("http://localhost:3000", shop.url)
    .replace("open: pending", "open: open")
    .replace("{app}/hooks/airtime", "{app}/callbacks/airtime");

  const rehearsed = await rehearseAt(sandbox, filledIn, OF_AIRTIME);

  expect(outcomeOf(rehearsed)).toEqual(ALL_PASSED);
});

/** What the shops sell. */
const OF_AIRTIME = rehearsalNames().filter((name) =>
  shippedRehearsal(name).steps.some(({ order = [] }) => order.some(({ operation }) => operation === "airtime")),
);

const ALL_PASSED = { exitCode: 0, defects: [], notAssessed: [] };

function outcomeOf({ report, exitCode }: Rehearsed): unknown {
  const notAssessed = report.trials.filter(({ verdict }) => verdict === "not assessed").map(({ id }) => id);
  return { exitCode, defects: defectsIn(report), notAssessed };
}

async function exploreStarter(starter: Starter): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using shop = await startStarter(starter, sandbox);
  return await exploreAt(sandbox, shop.map, ["--json"]);
}

async function startStarter(starter: Starter, { url }: Sandbox): ReturnType<typeof startShop> {
  const [port] = await freePorts(1);
  return startShop(starter, (text) => text.replaceAll("3000", String(port)), url);
}

const STARTS = join(ROOT, "docs/start");

/** Starts a copy of it on its own port, with all that it prints on standard output. */
async function startShop({ name, start, says }: Starter, here: (text: string) => string, url: string) {
  const folder = mkdtempSync(join(tmpdir(), `kredo-${name}-`));
  for (const file of readdirSync(join(STARTS, name)))
    writeFileSync(join(folder, file), here(readFileSync(join(STARTS, name, file), "utf8")));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const child = spawn("bash", ["-ec", `exec 2>&1; ${here(start)}`], {
    cwd: folder,
    env: { ...process.env, KREDO_BASE_URL: `${url}/api/v2` },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(child, "exit");
  const isStarted = await prints(child.stdout, says);
  if (!isStarted) throw new Error(`the ${name} shop ended before it said ${JSON.stringify(says)}`);
  return {
    map: here(readFileSync(join(STARTS, "kredo.app.yaml"), "utf8")),
    async [Symbol.asyncDispose]() {
      process.kill(-(child.pid ?? 0));
      await ended;
    },
  };
}

/** Waits for a line, and lets the program print on. */
async function prints(output: Readable, wanted: string): Promise<boolean> {
  for await (const line of createInterface(output)) {
    if (!line.includes(wanted)) continue;
    output.resume();
    return true;
  }
  return false;
}
