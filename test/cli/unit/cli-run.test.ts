import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT_CODES } from "../../../src/cli/terminal/cli-error.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";
import { run } from "../../../src/cli/run.ts";
import { SERVE_FLAGS, SERVE_SETTINGS } from "../../../src/cli/config/serve-flags.ts";
import { VERSION } from "../../../src/version.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const NAMES = COMMANDS.map(({ name }) => name);

test.each([[["--help"]], [["-h"]], [["help"]]])(
  "%j lists every command in groups, and the exit codes",
  async (argv) => {
    const { exitCode, printed } = await kredo(argv);

    expect(exitCode).toBe(0);
    expect(printed.match(/^ {2}[a-z][\w-]+/gm)).toEqual(NAMES.map((name) => `  ${name}`));
    expect(printed.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      "Options:",
      "Run a sandbox:",
      "Use a running sandbox:",
      "Test your backend:",
      "Files and shells:",
    ]);
    expect(printed.replaceAll("\n", " ")).toContain(EXIT_CODES);
  },
);

test.each(NAMES)("%s explains itself, with examples and a page that is there", async (name) => {
  const [asked, named] = [fakeTerminal(), fakeTerminal()];

  const exitCodes = [await run([name, "--help"], asked), await run(["help", name], named)];

  expect(exitCodes).toEqual([0, 0]);
  expect(asked.printed()).toMatch(new RegExp(`^Usage: kredo ${name} `));
  expect(asked.printed()).toMatch(/^Examples:\n {2}kredo /m);
  const page = /^Documentation: kredo docs (\S+)$/m.exec(asked.printed())?.[1];
  expect(existsSync(`docs/${page}.md`)).toBe(true);
  expect(named.printed()).toBe(asked.printed());
});

test("explains the flags of a command, their values and their variables", async () => {
  const { printed } = await kredo(["top-up", "--help"]);

  expect(printed).toBe(
    `Usage: kredo top-up [options] <AMOUNT>

Add shillings to the account's wallet, as a paybill payment would.

Options:
  --json                 print JSON
  -h, --help             show this help

Which sandbox and account:
  --url <URL>            the sandbox (default: where serve would listen: the
                         port of KREDO_PORT, the config file, or 8254) (env:
                         KREDO_URL)
  --account <KEY>        the account's consumer key (default: the first account
                         of the config file, or the default account) (env:
                         KREDO_CONSUMER_KEY)
  --admin-token <TOKEN>  the control API's token, if it requires one (default:
                         the config file's) (env: KREDO_ADMIN_TOKEN)
  --config <FILE>        the config file of the sandbox (default: found as serve
                         finds it) (env: KREDO_CONFIG)

Examples:
  kredo top-up 500
  kredo top-up 99.50 --account test-1

Documentation: kredo docs quick-start
`,
  );
});

test.each([50, 140])("help fits a terminal of %i columns", async (columns) => {
  const { printed } = await kredo(["top-up", "--help"], { columns });

  const widths = printed.split("\n").map(({ length }) => length);
  const widest = Math.max(...widths);
  expect({ fits: widest <= columns, isUsed: widest > columns - 20 }).toEqual({ fits: true, isUsed: true });
});

test.each(SERVE_FLAGS.map(({ name, variables = [] }) => ({ name, variables })))(
  "the help of serve says what --$name does",
  async ({ name, variables }) => {
    const { printed } = await kredo(["serve", "--help"], { columns: 200 });

    const line = printed.split("\n").find((text) => text.startsWith(`  --${name} `));
    expect(line).toMatch(/^ {2}--\S+ (\S+)? +\w+ \w+ \w+/);
    expect(variables.every((variable) => line?.includes(variable))).toBe(true);
  },
);

test.each(SERVE_SETTINGS.filter(({ flag }) => flag === undefined).flatMap(({ variables }) => variables))(
  "the help of serve names %s, which has no flag",
  async (variable) => {
    const { printed } = await kredo(["serve", "--help"]);

    expect(printed).toContain(variable);
  },
);

test.each(["-v", "--version"])("%s prints the version", async (flag) => {
  const { exitCode, printed } = await kredo([flag]);

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: `${VERSION}\n` });
});

test.each([
  [["sned"], "kredo: unknown command 'sned'; did you mean send?\n"],
  [["topup", "5"], "kredo: unknown command 'topup'; did you mean top-up?\n"],
  [["confess", "a.yaml"], "kredo: unknown command 'confess'; kredo --help lists the commands\n"],
  [["help", "lisen"], "kredo: unknown command 'lisen'; did you mean listen?\n"],
  [["lisen", "--help"], "kredo: unknown command 'lisen'; did you mean listen?\n"],
])("%j is answered with one line and exit code 2", async (argv, line) => {
  const { exitCode, printed, complained } = await kredo(argv);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
  expect(printed).toBe("");
});

test.each([
  [["balance", "--jsn"], "kredo balance: unknown option '--jsn'; did you mean --json?\n"],
  [["balance", "--port", "1"], "kredo balance: unknown option '--port'; kredo balance --help lists the options\n"],
  [["serve", "-p", "1"], "kredo serve: unknown option '-p'; kredo serve --help lists the options\n"],
  [["balance", "--url"], "--url needs a value; write --url URL\n"],
  [["balance", "--url", "--json"], "--url needs a value; write --url URL\n"],
  [["balance", "--url="], "--url needs a value; write --url URL\n"],
  [["balance", "--json=yes"], "kredo balance: --json takes no value; write --json alone\n"],
  [["balance", "-5"], 'kredo balance: too many arguments, from "-5" on; write kredo balance\n'],
  [["balance", "now"], 'kredo balance: too many arguments, from "now" on; write kredo balance\n'],
  [["top-up"], "kredo top-up: missing required argument 'AMOUNT'; write kredo top-up AMOUNT\n"],
  [
    ["send", "airtime"],
    "kredo send airtime: missing required argument 'PHONE'; write kredo send airtime PHONE AMOUNT\n",
  ],
  [
    ["send", "sms", "254712345678", "Hello", "there"],
    'kredo send sms: too many arguments, from "there" on; write kredo send sms PHONE TEXT, with quotes around TEXT\n',
  ],
])("%j is bad input", async (argv, lines) => {
  const { exitCode, complained } = await kredo(argv);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: lines });
});

test("takes flags without a command for those of serve", async () => {
  const { exitCode, complained } = await kredo(["--prot", "9000"]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained: "kredo serve: unknown option '--prot'; did you mean --port?\n",
  });
});

test("reports a fault of its own in one line", async () => {
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
