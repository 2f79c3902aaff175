import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { reportShape } from "../../../src/verdict/report/report.ts";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/terminal.ts";

// What the command loads when it is first used is loaded here, and not while a test waits for it.
await Promise.all([import("../../../src/cli/commands/exec.ts"), import("../../../src/control/control-api.ts")]);

/** What the commands of these tests can do: call the sandbox as their environment says, and write down what they saw. */
const PRELUDE = `
  const { KREDO_URL, KREDO_BASE_URL, KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET, KREDO_ADMIN_TOKEN, SEEN } = process.env;
  const as = (key, secret) => ({ authorization: "Basic " + Buffer.from(key + ":" + secret).toString("base64"), "content-type": "application/json" });
  const order = (amount, key = KREDO_CONSUMER_KEY, secret = KREDO_CONSUMER_SECRET) => fetch(KREDO_BASE_URL + "/airtime",
    { method: "POST", headers: as(key, secret), body: JSON.stringify({ phone_number: "254712345678", amount }) }).then((answer) => answer.json());
  const admin = (method, path, body = method === "POST" ? {} : undefined) => fetch(KREDO_URL + "/__admin/accounts" + path,
    { method, headers: { authorization: "Bearer " + KREDO_ADMIN_TOKEN, "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) })
    .then(async (answer) => ({ status: answer.status, json: await answer.json().catch(() => null) }));
  const see = (seen) => require("node:fs").writeFileSync(SEEN, JSON.stringify(seen));
`;

interface Ran {
  readonly exitCode: number;
  readonly printed: string;
  readonly complained: string;
  /** What the command wrote down; undefined where it did not come to that. */
  readonly seen: unknown;
  readonly folder: string;
}

/** Runs `kredo exec` in this process, with a command that does this; `$` in a flag is an empty folder. */
async function execute(script: string, flags: readonly string[] = [], options: FakeTerminalOptions = {}): Promise<Ran> {
  const body = `${PRELUDE}(async () => {${script}})().catch((error) => { console.error(error); process.exit(99); });`;
  return executeWords([...flags, "--", process.execPath, "-e", body], options);
}

async function executeWords(
  words: readonly string[],
  { env = {}, ...options }: FakeTerminalOptions = {},
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-exec-"));
  const seen = join(folder, "seen.json");
  const terminal = fakeTerminal({ ...options, env: { ...env, SEEN: seen } });
  const exitCode = await run(["exec", ...words.map((word) => word.replace("$/", `${folder}/`))], terminal);
  const text = existsSync(seen) ? readFileSync(seen, "utf8") : undefined;
  return {
    exitCode,
    printed: terminal.printed(),
    complained: terminal.complained(),
    seen: text === undefined ? undefined : JSON.parse(text),
    folder,
  };
}

test("the command finds the gateway and the control API by its environment", async () => {
  const script = `see({ order: await order("100"), account: await admin("GET", "/default"), url: KREDO_URL, base: KREDO_BASE_URL, mine: process.env.MINE })`;

  const { exitCode, seen, printed, complained } = await execute(script, ["--seed", "7"], {
    env: { MINE: "kept", PORT: "1", KREDO_PORT: "2" },
  });

  expect(exitCode).toBe(0);
  expect(seen).toEqual({
    order: { status_code: 200, description: "Operation successful.", request_id: expect.any(String) },
    account: { status: 200, json: expect.objectContaining({ consumer_key: "sandbox-key" }) },
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{4,5}$/),
    base: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{4,5}\/api\/v2$/),
    mine: "kept",
  });
  expect(printed).toBe("");
  expect(complained).toMatch(/^kredo: sandbox at http:\/\/127\.0\.0\.1:\d+, seed 7\n/);
});

test("with HTTPS, the command finds its port and the certificate to trust", async () => {
  const script = `
    const { KREDO_HTTPS_URL, KREDO_CA_FILE } = process.env;
    const ca = require("node:fs").readFileSync(KREDO_CA_FILE);
    const options = { ca, agent: false };
    await order("100");
    require("node:https").get(KREDO_HTTPS_URL + "/readyz", options, (answer) => {
      see({ status: answer.statusCode, url: KREDO_HTTPS_URL });
      answer.resume();
    });
  `;
  const env = { KREDO_CONFIG_INLINE: "https: { port: 8255 }" };

  const { exitCode, seen, complained } = await execute(script, ["--ca-folder", "$/ca"], { env });

  expect({ exitCode, complained }).toMatchObject({
    exitCode: 0,
    complained: expect.stringMatching(/^kredo: sandbox at/),
  });
  expect(seen).toEqual({ status: 200, url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:(?!8255)\d+$/) });
});

test("the control API answers no request without the token", async () => {
  const { seen } = await execute(`see((await fetch(KREDO_URL + "/__admin/accounts/default")).status)`);

  expect(seen).toBe(401);
});

test("takes config, scenarios and flags as serve does", async () => {
  const script = `await order("10"); see({ account: (await admin("GET", "/default")).json, scenarios: (await admin("GET", "/default/scenarios")).json, KREDO_ADMIN_TOKEN })`;
  const config = "accounts: [{ consumer_key: shop, balance: '12.00' }]\nclock: manual\nport: 1\n";
  const flags = ["--scenario", "callback-never", "--scenario", "duplicate-callbacks", "--admin-token", "t0ken-of-mine"];

  const { exitCode, seen } = await execute(script, flags, { files: { "kredo.config.yaml": config } });

  expect(exitCode).toBe(0);
  expect(seen).toMatchObject({ account: { consumer_key: "shop" }, KREDO_ADMIN_TOKEN: "t0ken-of-mine" });
  expect(JSON.stringify(seen)).toMatch(/"callback-never".*"duplicate-callbacks".*"magic-numbers"/);
});

test.each([0, 1, 7, 255])("passes exit code %i on", async (code) => {
  const { exitCode } = await execute(`await order("100"); process.exitCode = ${code}`);

  expect(exitCode).toBe(code);
});

/** The official API takes an amount as text (document 4); as a JSON number it is a risk. */
const LOOSELY = "await order(100);";

test("says which variables are for a sandbox that stays, and leaves their files alone", async () => {
  const { exitCode, complained } = await execute(`await order("100")`, [], {
    env: { KREDO_DATA: "/none/kredo.db", KREDO_EXPORT_ON_EXIT: "/none/out.json" },
  });

  expect(exitCode).toBe(0);
  expect(complained).toMatch(
    /^warning: KREDO_DATA is only for serve; .+\nwarning: KREDO_EXPORT_ON_EXIT is only for serve; the sandbox of exec starts empty and saves nothing\n/,
  );
});

test("reports findings, with phone numbers masked and counts", async () => {
  const { exitCode, complained } = await execute(LOOSELY);

  expect(exitCode).toBe(0);
  expect(complained).toMatch(/\nfinding {3}risk .+ \(lenient-format\)\. .+ \[account sandbox-key\]\n/);
  expect(complained).toMatch(/\nkredo: No defect, 1 risk\.\n$/);
  expect(complained).not.toContain("254712345678");
});

test.each([
  ["defect", 0],
  ["risk", 1],
  ["cost", 1],
  ["hint", 1],
])("--fail-on %s with a risk ends with %i", async (severity, code) => {
  const { exitCode, complained } = await execute(LOOSELY, ["--fail-on", severity]);

  expect(exitCode).toBe(code);
  expect(complained.includes(`kredo: exit code 1, because of what --fail-on ${severity} counts.\n`)).toBe(code === 1);
});

/** A shop that orders again when the acknowledgment is lost, which is a defect. */
const TWICE = `await order("100").catch(() => order("100"));`;

test("a defect turns success into exit code 1 by default", async () => {
  const flags = ["--scenario", "ack-lost-after-accept"];

  const { exitCode, complained } = await execute(TWICE, flags);
  const failing = await execute(`${TWICE} process.exitCode = 5;`, flags);

  expect(exitCode).toBe(1);
  expect(complained).toMatch(/\nkredo: 1 defect\.\nkredo: exit code 1, because of a defect\.\n$/);
  expect(failing.exitCode).toBe(5);
});

test.each([
  ["resets its account", `await order("100"); await admin("POST", "/default/reset")`],
  [
    "deletes the account that it opened",
    `const { json } = await admin("POST", ""); await order("100", json.consumer_key, json.consumer_secret); await admin("DELETE", "/" + json.consumer_key)`,
  ],
  ["resets an account with a risk", `${LOOSELY} await admin("POST", "/default/reset")`],
  [
    "resets an account with a risk beside another account",
    `${LOOSELY} await admin("POST", "/default/reset"); const { json } = await admin("POST", ""); await order("100", json.consumer_key, json.consumer_secret)`,
  ],
])("a command without a defect that %s does not count as a run without requests", async (_what, script) => {
  const { exitCode, complained } = await execute(script);

  expect(exitCode).toBe(0);
  expect(complained).toMatch(/\nkredo: No defect(, 1 risk)?\.\n$/);
});

test("the command's own failure comes before that of a finding", async () => {
  const { exitCode, complained } = await execute(`${LOOSELY} process.exitCode = 5;`, ["--fail-on", "risk"]);

  expect(exitCode).toBe(5);
  expect(complained).not.toContain("exit code 1");
});

test("counts findings from before the account was reset or dropped, and those of an unknown key", async () => {
  const script = `
    await order(100);
    await admin("POST", "/default/reset");
    const { json } = await admin("POST", "");
    await order(100, json.consumer_key, json.consumer_secret);
    await admin("DELETE", "/" + json.consumer_key);
    await order("100", "nobody", "known");
    see(json.consumer_key);`;

  const { seen, complained, folder, exitCode } = await execute(script, [
    "--report",
    "$/report.json",
    "--fail-on",
    "risk",
  ]);

  const { name, trials } = reportShape.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
  expect({ exitCode, name }).toEqual({ exitCode: 1, name: "3 accounts" });
  expect(trials.map(({ id, verdicts }) => [id, verdicts.map((verdict) => verdict.id)])).toEqual([
    ["sandbox-key", ["traffic", "lenient-format"]],
    [`${String(seen)} (dropped)`, ["traffic", "lenient-format"]],
    ["of unknown consumer keys", ["traffic"]],
  ]);
  expect(complained).toContain(`[account ${String(seen)} (dropped)]`);
});

test("writes the report in each form that was asked for, also when the command failed", async () => {
  const flags = ["--report", "$/report.json", "--report", "$/junit.xml", "--report=$/report.html"];

  const { exitCode, folder } = await execute(`await order("100"); process.exitCode = 3;`, flags);

  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const { trials } = reportShape.parse(JSON.parse(read("report.json")));
  expect(exitCode).toBe(3);
  expect(trials).toMatchObject([
    { id: "sandbox-key", exchanges: [{ title: "POST /api/v2/airtime 254712***678 KES 100.00" }] },
  ]);
  expect(read("junit.xml")).toMatch(/^<\?xml .*\n?<testsuites/);
  expect(read("report.html")).toMatch(/^<!doctype html>/i);
});

test("reports on the first account if none was called", async () => {
  const { complained, exitCode } = await execute("");

  expect(exitCode).toBe(3);
  expect(complained).toContain(
    "\nkredo: No verdict: no request arrived.\nkredo: exit code 3, because too little could be assessed for a verdict.\n",
  );
});

const SHOW_WORDS = [
  process.execPath,
  "-e",
  `require("node:fs").writeFileSync(process.env.SEEN, JSON.stringify(process.argv.slice(1)))`,
  "show",
];

test.each([
  [["--seed", "3", "--fail-on", "risk"]],
  [["--report", "report.pdf", "--port"]],
  [["--coverage", "-h", "--help", "-v", "--version", "--json"]],
  [["--", "--seed", "3", "--"]],
])("leaves %j after its name to the command, with or without -- before it", async (words) => {
  const [plain, dashed] = [
    await executeWords([...SHOW_WORDS, ...words]),
    await executeWords(["--", ...SHOW_WORDS, ...words]),
  ];

  expect({ plain: plain.seen, dashed: dashed.seen }).toEqual({
    plain: ["show", ...words],
    dashed: ["show", ...words],
  });
});

test("reads its own options before the command, also without --", async () => {
  const { exitCode, printed, complained, seen } = await executeWords(["--seed", "7", ...SHOW_WORDS, "--seed", "8"]);
  const wrong = await executeWords(["--port", "99999", ...SHOW_WORDS, "--json"]);

  expect({ exitCode, printed, seen }).toEqual({ exitCode: 3, printed: "", seen: ["show", "--seed", "8"] });
  expect(complained).toContain(", seed 7\n");
  expect({ ...wrong, complained: "", folder: "" }).toEqual({
    exitCode: 2,
    printed: "",
    complained: "",
    folder: "",
    seen: undefined,
  });
});

const NOTHING = [process.execPath, "-e", `require("node:fs").writeFileSync(process.env.SEEN, "1")`];

test.each([
  [[], "kredo exec: missing required argument 'COMMAND'; write kredo exec -- COMMAND...\n"],
  [["--"], "kredo exec: missing required argument 'COMMAND'; write kredo exec -- COMMAND...\n"],
  [["--coverage", "npm", "test"], "kredo exec: unknown option '--coverage'; kredo exec --help lists the options\n"],
  [["--watch", "--", ...NOTHING], "kredo exec: unknown option '--watch'; kredo exec --help lists the options\n"],
  [["--prot", "1", "--", ...NOTHING], "kredo exec: unknown option '--prot'; did you mean --port?\n"],
  [["--port", "99999", "--", ...NOTHING], /^--port.*65535/],
  [
    ["--fail-on", "grave", "--", ...NOTHING],
    /^--fail-on: "grave" is not known here; write one of defect, risk, cost, hint\n$/,
  ],
  [["--report", "report.pdf", "--", ...NOTHING], /^--report: "report\.pdf" has no known extension; /],
  [
    ["--report", "$/not-there/a.html", "--", ...NOTHING],
    /^--report: .*not-there\/a\.html cannot be written .*; choose a file in an existing folder\n$/,
  ],
  [["--scenario", "callback-nevr", "--", ...NOTHING], /callback-never/],
])("%j is bad input, and nothing is begun", async (words, complaint) => {
  const { exitCode, complained, seen } = await executeWords(words);

  expect(exitCode).toBe(2);
  expect(complained).toMatch(complaint);
  expect(complained.trimEnd()).not.toContain("\n");
  expect(seen).toBeUndefined();
});

test("says that a missing command cannot be started, with a shell's exit code", async () => {
  const { exitCode, complained } = await executeWords(["--", "no-such-command-of-ours", "--port"]);

  expect(exitCode).toBe(127);
  expect(complained).toMatch(
    /\n"no-such-command-of-ours" cannot be started \(there is no such command\); write a command as a shell would find it\n$/,
  );
});

test("says why a file that is not executable cannot be started, with a shell's exit code", async () => {
  const { exitCode, complained } = await executeWords(["--", import.meta.filename]);

  expect(exitCode).toBe(126);
  expect(complained).toContain("cannot be started (it may not be executed)");
});

test("says that a port is in use", async () => {
  await using sandbox = await createSandbox();
  const port = new URL(sandbox.url).port;

  const { exitCode, complained, seen } = await executeWords(["--port", port, "--", ...NOTHING]);

  expect(exitCode).toBe(3);
  expect(complained).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use by a running sandbox: stop it, `));
  expect(seen).toBeUndefined();
});

test("says so when the command never called the sandbox", async () => {
  const silent = await execute("");
  const calling = await execute(`await order("100")`);
  const tidying = await execute(
    `await order("100"); await admin("POST", "/default/reset"); await admin("DELETE", "/default")`,
  );

  expect(silent.complained).toContain("kredo: the command never called the sandbox; let it use KREDO_BASE_URL");
  expect(calling.complained).not.toContain("never called");
  expect(tidying.complained).not.toContain("never called");
});
