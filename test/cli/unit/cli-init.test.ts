import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { inventOrganization } from "../../../src/gateway/adapters/random/organization.ts";
import { readServeOptions } from "../../support/serve-options.ts";
import { run } from "../../../src/cli/run.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const FILES = ["kredo.config.yaml", "scenarios/weak-network.yaml", "compose.kredo.yaml", ".github/workflows/kredo.yml"];

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "kredo-init-"));
}

async function kredo(...words: readonly string[]) {
  return kredoWith({}, ...words);
}

async function kredoWith(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const terminal = { ...fakeTerminal({ env }), files: filesOnDisk };
  const exitCode = await run(words, terminal);
  return { exitCode, printed: terminal.printed(), complained: terminal.complained() };
}

/** Runs `kredo init` in a folder, which is new unless it is given. */
async function init(flags: readonly string[] = [], folder = emptyFolder()) {
  return { folder, ...(await kredo("init", ...flags, "--dir", folder)) };
}

/** Every file below a folder, with what stands in it. */
function contents(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

test("writes a config, a scenario, a Compose file and a workflow, and says what comes next", async () => {
  const { folder, exitCode, printed } = await init();

  expect(exitCode).toBe(0);
  expect(Object.keys(contents(folder)).sort()).toEqual(FILES.map((name) => join(folder, name)).sort());
  expect(printed).toContain(FILES.map((name) => `wrote ${join(folder, name)}\n`).join(""));
  expect(printed).toMatch(
    /\nNext:\n {2}cd \S+\n {2}npx kredo validate kredo\.config\.yaml scenarios\/weak-network\.yaml\n {2}npx kredo serve /,
  );
});

test("makes the folder that is named", async () => {
  const folder = join(emptyFolder(), "my shop", "api");

  const { exitCode, printed } = await init([], folder);

  expect(exitCode).toBe(0);
  expect(existsSync(join(folder, "kredo.config.yaml"))).toBe(true);
  expect(printed).toContain(`  cd '${folder}'\n`);
});

test("what it writes has no mistakes, and serve runs with it", async () => {
  const { folder } = await init();
  const [config, scenario] = [join(folder, "kredo.config.yaml"), join(folder, "scenarios/weak-network.yaml")];

  const { exitCode, printed } = await kredo("validate", config, scenario);
  const options = await readServeOptions(["--config", config], {}, filesOnDisk);

  expect(exitCode).toBe(0);
  expect(printed).toBe(`${config}: no mistakes\n${scenario}: no mistakes\n`);
  expect(options).toMatchObject({
    warnings: [],
    scenarios: [{ scenario: { name: "weak-network" } }, { scenario: { name: "magic-numbers" } }],
  });
});

test("the organization in the config is the one that its seed gives", async () => {
  const folder = emptyFolder();
  await kredo("init", "--dir", folder);

  const options = await readServeOptions(["--config", join(folder, "kredo.config.yaml")], {}, filesOnDisk);

  const organization = inventOrganization({ seed: 7, consumer_key: "sandbox-key" });
  expect(options).toMatchObject({ settings: { seed: 7, accounts: [{ organization }] } });
});

test("--app writes an app map without mistakes, commented parts included, and nothing else", async () => {
  const { folder, exitCode, printed } = await init(["--app"]);

  const file = join(folder, "kredo.app.yaml");
  const text = readFileSync(file, "utf8");
  const uncommented = text.replaceAll(/^# (?=(?:balance|restart|settle): )/gm, "");
  expect(exitCode).toBe(0);
  expect(printed).toMatch(/^wrote .*kredo\.app\.yaml\n\nNext, replace the values in kredo\.app\.yaml/);
  expect(Object.keys(contents(folder))).toEqual([file]);
  expect(parseAppMap(text, file)).toMatchObject({ map: { application: "http://localhost:3000" } });
  expect(parseAppMap(uncommented, file)).toMatchObject({
    map: {
      balance: { json_path: expect.anything() },
      restart: { command: expect.anything() },
      settle: 10_000,
    },
  });
});

test("--app names the base URL of the sandbox where serve would listen", async () => {
  const folder = emptyFolder();

  const { printed } = await kredoWith({ KREDO_PORT: "9000" }, "init", "--app", "--dir", folder);

  expect(printed).toContain("\nhttp://127.0.0.1:9000/api/v2:\n");
  expect(readFileSync(join(folder, "kredo.app.yaml"), "utf8")).toContain("sandbox: http://127.0.0.1:9000/api/v2\n");
});

test("what is commented out has no mistakes either", async () => {
  const { folder } = await init();
  const uncomment = (name: string): void => {
    const text = readFileSync(join(folder, name), "utf8");
    // Keys of the first column, and what belongs to them.
    writeFileSync(
      join(folder, name),
      text.replace(/^# ((?:auto_accounts|findings|timeline):.*(?:\n# {3}.*)*)/gm, (_, block: string) =>
        block.replace(/\n# /g, "\n"),
      ),
    );
  };
  uncomment("kredo.config.yaml");
  uncomment("scenarios/weak-network.yaml");

  const { complained, exitCode } = await kredo(
    "validate",
    join(folder, "kredo.config.yaml"),
    join(folder, "scenarios/weak-network.yaml"),
  );

  expect(complained).toBe("");
  expect(exitCode).toBe(0);
  expect(parse(readFileSync(join(folder, "kredo.config.yaml"), "utf8"))).toMatchObject({
    auto_accounts: ["test-*"],
    findings: { off: ["details-polled"] },
  });
  expect(parse(readFileSync(join(folder, "scenarios/weak-network.yaml"), "utf8"))).toMatchObject({
    timeline: [{ at: "60s" }],
  });
});

test("the Compose file mounts what was written, and lets the container find this machine", async () => {
  const { folder } = await init();

  const { kredo: service } = parse(readFileSync(join(folder, "compose.kredo.yaml"), "utf8")).services;
  const mounted = service.volumes.map((volume: string) => existsSync(join(folder, volume.split(":")[0] ?? "")));
  const { KREDO_CONFIG: inside, ...environment } = service.environment;
  const options = await readServeOptions(
    ["--config", join(folder, inside.replace("/config/", ""))],
    environment,
    filesOnDisk,
  );

  expect(mounted).toEqual([true, true]);
  expect(service.volumes).toContain(`./kredo.config.yaml:${inside}:ro`);
  expect(service.extra_hosts).toEqual(["host.docker.internal:host-gateway"]);
  expect(options).toMatchObject({
    warnings: [],
    settings: {
      port: 8254,
      accounts: [{ callbacks: { urls: { airtime: { url: "http://host.docker.internal:3000/hooks/airtime" } } } }],
    },
  });
});

test("the workflow configures its service by environment alone", async () => {
  const { folder } = await init(["--image", "registry.example:5000/tools/kredo:1.2"]);

  const { jobs } = parse(readFileSync(join(folder, ".github/workflows/kredo.yml"), "utf8"));
  const { services, env, steps } = jobs.test;
  const options = await readServeOptions([], services.kredo.env, { read: () => ({ missing: true }) });

  expect(Object.keys(services.kredo)).toEqual(["image", "ports", "options", "env"]);
  expect(services.kredo.image).toBe("registry.example:5000/tools/kredo:1.2");
  expect(options).toMatchObject({
    warnings: [],
    settings: {
      seed: 7,
      accounts: [{ consumer_key: env.KREDO_CONSUMER_KEY, consumer_secret: env.KREDO_CONSUMER_SECRET }],
    },
    scenarios: [{ scenario: { name: "magic-numbers" } }],
  });
  expect(steps.map(({ uses, run }: { uses?: string; run?: string }) => uses ?? run)).toContain("npm test");
});

test("writes nothing if one of its files exists, and names each that does", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "kredo.config.yaml"), "seed: 1\n");
  writeFileSync(join(folder, "compose.kredo.yaml"), "mine\n");
  const before = contents(folder);

  const { exitCode, complained } = await init([], folder);

  expect(exitCode).toBe(2);
  expect(complained).toBe(
    `${join(folder, "kredo.config.yaml")} already exists; move it away, choose another folder with --dir, or add --force
${join(folder, "compose.kredo.yaml")} already exists; move it away, choose another folder with --dir, or add --force
Nothing was written.
`,
  );
  expect(contents(folder)).toEqual(before);
});

test("--probe without --app writes nothing", async () => {
  const { folder, exitCode, complained } = await init(["--probe"]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained: "--probe needs --app; write kredo init --app --probe\n",
  });
  expect(contents(folder)).toEqual({});
});

test("does not hide a config file of another name", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "kredo.config.json"), "{}");

  const { exitCode, complained } = await init([], folder);

  expect(exitCode).toBe(2);
  expect(complained).toMatch(
    /kredo\.config\.json would no longer be read next to kredo\.config\.yaml; .*--force\nNothing was written\.\n$/,
  );
  expect(Object.keys(contents(folder))).toEqual([join(folder, "kredo.config.json")]);
});

test("--force replaces existing files, and leaves nothing else behind", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "kredo.config.yaml"), "mine\n");
  writeFileSync(join(folder, "kredo.config.json"), "{}");

  const { exitCode } = await init(["--force"], folder);

  expect(exitCode).toBe(0);
  expect(contents(folder)[join(folder, "kredo.config.yaml")]).toContain("consumer_key: sandbox-key");
  expect(Object.keys(contents(folder)).sort()).toEqual(
    ["kredo.config.json", ...FILES].map((name) => join(folder, name)).sort(),
  );
});

test.each([
  ["a folder in the place of a file", "compose.kredo.yaml/x", "it is a folder"],
  ["a file in the place of a folder", "scenarios", "scenarios is not a folder"],
  ["a file in the place of a folder above", ".github", ".github is not a folder"],
])("writes nothing, also with --force, where there is %s", async (_, name, reason) => {
  const folder = emptyFolder();
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), "mine\n");

  const { exitCode, complained } = await init(["--force"], folder);

  expect(exitCode).toBe(2);
  expect(complained).toMatch(/ cannot be written \(.*\); choose another folder with --dir\nNothing was written\.\n$/);
  expect(complained).toContain(reason);
  expect(contents(folder)).toEqual({ [join(folder, name)]: "mine\n" });
});

test("names the file whose folder cannot be made", async () => {
  const folder = emptyFolder();
  symlinkSync(join(folder, "gone"), join(folder, "scenarios"));

  const { exitCode, complained } = await init([], folder);

  expect(exitCode).toBe(2);
  expect(complained).toContain(`${join(folder, "scenarios/weak-network.yaml")} cannot be written (`);
  expect(complained).toMatch(/; correct that and add --force\n$/);
});

test.each([
  [["init", "here"], 'kredo init: too many arguments, from "here" on; write kredo init\n'],
  [
    ["init", "--image", "kredo\nprivileged: true"],
    /^--image: .* is not an image name; write a name like registry\.example\/kredo:1\n$/,
  ],
])("%j is bad input", async (words, complaint) => {
  const { exitCode, complained } = await kredo(...words);

  expect(exitCode).toBe(2);
  expect(complained).toMatch(complaint);
});
