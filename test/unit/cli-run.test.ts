import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { SERVE_SETTINGS } from "../../src/cli/serve-flags.ts";
import { VERSION } from "../../src/version.ts";
import { fakeTerminal } from "../support/terminal.ts";

const VERBS = [
  "serve",
  "init",
  "validate",
  "send",
  "balance",
  "top-up",
  "listen",
  "resend",
  "advance",
  "reset",
  "preview",
  "doctor",
  "rehearse",
  "list",
  "exec",
  "ready",
];

test.each([[["--help"]], [["-h"]], [["help"]]])("%j lists every verb and the exit codes", async (argv) => {
  const terminal = fakeTerminal();

  const exitCode = await run(argv, terminal);

  expect(exitCode).toBe(0);
  expect(terminal.printed().match(/^ {2}[\w-]+/gm)).toEqual(VERBS.map((verb) => `  ${verb}`));
  expect(terminal.printed()).toContain("Exit codes: 0 well, 1 a check failed, 2 bad input or config, 3 a target could not be reached.");
});

test.each(VERBS)("%s explains itself", async (verb) => {
  const [asked, named] = [fakeTerminal(), fakeTerminal()];

  const exitCodes = [await run([verb, "--help"], asked), await run(["help", verb], named)];

  expect(exitCodes).toEqual([0, 0]);
  expect(asked.printed()).toMatch(new RegExp(`^usage: kredo \\[?${verb}`));
  expect(named.printed()).toBe(asked.printed());
});

test("explains the flags of a verb, their values and their variables", async () => {
  const terminal = fakeTerminal();

  await run(["top-up", "--help"], terminal);

  expect(terminal.printed()).toBe(
    `usage: kredo top-up AMOUNT [flags]

Adds shillings to the account's wallet, as the paybill would.

flags:
  --url URL            where the sandbox is; if not said, where serve would listen: the port of KREDO_PORT, of the config file, or 8254 [KREDO_URL]
  --account KEY        the account to control; the consumer key if that is said, else default
  --consumer-key KEY   the account's key; the config file's or sandbox-key if not said [KREDO_CONSUMER_KEY]
  --admin-token TOKEN  the control API's token, if it asks for one; the config file's if not said [KREDO_ADMIN_TOKEN]
  --config FILE        the config file that serve runs with; found as serve finds it if not said [KREDO_CONFIG]
  --json               prints the answer's JSON as it came
`,
  );
});

test.each(SERVE_SETTINGS.flatMap(({ flag, variables }) => (flag === undefined ? [] : [{ flag, variables }])))(
  "the manual of serve says what --$flag does",
  async ({ flag, variables }) => {
    const terminal = fakeTerminal();

    await run(["serve", "--help"], terminal);

    const line = terminal
      .printed()
      .split("\n")
      .find((text) => text.startsWith(`  --${flag} `));
    expect(line).toMatch(/^ {2}--\S+ (\S+)? +\w+ \w+ \w+/);
    expect(variables.every((variable) => line?.includes(variable))).toBe(true);
  },
);

test.each(SERVE_SETTINGS.filter(({ flag }) => flag === undefined).flatMap(({ variables }) => variables))(
  "the manual of serve names %s, which has no flag",
  async (variable) => {
    const terminal = fakeTerminal();

    await run(["serve", "--help"], terminal);

    expect(terminal.printed()).toContain(variable);
  },
);

test("prints its version", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["--version"], terminal);

  expect(exitCode).toBe(0);
  expect(terminal.printed()).toBe(`${VERSION}\n`);
});

test.each([
  [["sned"], '"sned" is not a verb; did you mean "send"?\n'],
  [["topup", "5"], '"topup" is not a verb; did you mean "top-up"?\n'],
  [["confess", "a.yaml"], '"confess" is not a verb; kredo --help lists them\n'],
  [["help", "lisen"], '"lisen" is not a verb; did you mean "listen"?\n'],
  [["lisen", "--help"], '"lisen" is not a verb; did you mean "listen"?\n'],
])("%j is answered with one line and exit code 2", async (argv, line) => {
  const terminal = fakeTerminal();

  const exitCode = await run(argv, terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toBe(line);
  expect(terminal.printed()).toBe("");
});

test.each([
  [["balance", "--jsn"], "--jsn is not a flag here; did you mean --json?\n"],
  [["balance", "--port", "1"], "--port is not a flag here; the flags are --url, --consumer-key, --consumer-secret, --config, --json\n"],
  [["balance", "--url"], "--url needs a value; write --url URL\n"],
  [["balance", "--url", "--json"], "--url needs a value; write --url URL\n"],
  [["balance", "--url="], "--url needs a value; write --url URL\n"],
  [["balance", "--json=yes"], "--json takes no value; write --json alone\n"],
  [["balance", "-5"], "-5 is not a flag here; write -- before a word that begins with a dash\n"],
  [["balance", "--jsn", "--ulr", "x"], "--jsn is not a flag here; did you mean --json?\n--ulr is not a flag here; did you mean --url?\n"],
  [["balance", "now"], '"now" is one word too many; write kredo balance\n'],
  [["top-up"], "AMOUNT is missing; write kredo top-up AMOUNT\n"],
  [["send", "airtime"], "PHONE and AMOUNT are missing; write kredo send airtime PHONE AMOUNT\n"],
  [
    ["send", "sms", "254712345678", "Hello", "there"],
    '"there" is one word too many; write kredo send sms PHONE TEXT, with quotes around TEXT\n',
  ],
])("%j is bad input", async (argv, lines) => {
  const terminal = fakeTerminal();

  const exitCode = await run(argv, terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toBe(lines);
});

test("takes flags without a verb for those of serve", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["--prot", "9000"], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toContain("--prot is not a flag of serve; did you mean --port?");
});

test("says a fault of its own in one line", async () => {
  const terminal = { ...fakeTerminal(), files: brokenFiles };

  const exitCode = await run(["validate", "a.yaml"], terminal);

  expect(exitCode).toBe(1);
  expect(terminal.complained()).toBe("kredo failed: disk on fire (set KREDO_DEBUG=1 to see where)\n");
});

test("shows where a fault came from with KREDO_DEBUG=1", async () => {
  const terminal = { ...fakeTerminal({ env: { KREDO_DEBUG: "1" } }), files: brokenFiles };

  await run(["validate", "a.yaml"], terminal);

  expect(terminal.complained()).toMatch(/^Error: disk on fire\n {4}at .*cli-run\.test\.ts/);
});

const brokenFiles = {
  read: () => {
    throw new Error("disk on fire");
  },
};
