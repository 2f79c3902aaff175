import { CommanderError, type OutputConfiguration, Command as Parser } from "commander";
import { CliError, EXIT_CODES } from "./terminal/cli-error.ts";
import { printableLines, wrap } from "./terminal/output.ts";
import { COMMANDS } from "./commands.ts";
import { describeCommand, failWith, type Run } from "./terminal/parser.ts";
import { printLines, systemTerminal, type Terminal } from "./terminal/terminal.ts";
import { messageOf } from "../gateway/domain/message-of.ts";
import type { Millis } from "../gateway/domain/time.ts";

/** Runs this process's command line and sets its exit code. */
export async function runProcess(): Promise<void> {
  const stopping = new AbortController();
  const terminal = systemTerminal(stopping);
  // Catches everything that nobody else did, including rejections.
  process.on("uncaughtException", (fault) => {
    printLines(terminal.stderr, explainEnd(fault, process.env["KREDO_DEBUG"] === "1"));
    process.exit(1);
  });
  // Not process.exit, because output must reach a pipe first.
  process.exitCode = await run(process.argv.slice(2), terminal);
  // Whoever asked it to stop does not wait for a pipe that nobody reads.
  if (stopping.signal.aborted) setTimeout(() => process.exit(), LAST_OUTPUT_MILLIS).unref();
}

/** How long a command that was asked to stop waits until its output is read. */
const LAST_OUTPUT_MILLIS: Millis = 500;

/** Runs a command line and returns its exit code. Never rejects: an unexpected error is one line, and exit code 1. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runCommand(argv, terminal);
  } catch (error) {
    const words = explainEnd(error, terminal.env["KREDO_DEBUG"] === "1");
    printLines(terminal.stderr, words);
    const json = error instanceof CliError ? error.json : { problem: words.join("\n") };
    const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
    // A --json of exec belongs to the command that it runs.
    if (words.length > 0 && argv[0] !== "exec" && options.includes("--json"))
      printLines(terminal.stdout, [JSON.stringify(json)]);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** What to print when the command ends early: the error's own message, or that Kredo itself failed. */
function explainEnd(error: unknown, withStack: boolean): string[] {
  if (error instanceof CliError) return error.message === "" ? [] : [printableLines(error.message)];
  if (withStack && error instanceof Error && error.stack !== undefined) return [printableLines(error.stack)];
  return [printableLines(`kredo failed: ${messageOf(error)} (set KREDO_DEBUG=1 to see where)`)];
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const words = normalize(argv);
  if (words[0] === "-v" || words[0] === "--version") {
    printLines(terminal.stdout, [(await import("../version.ts")).VERSION]);
    return 0;
  }
  let exitCode = 0;
  const program = await buildProgram(words[0], terminal, async (command, args) => {
    exitCode = await command.run(args, terminal);
  });
  const isKnown = words[0]?.startsWith("-") || program.commands.some((command) => command.name() === words[0]);
  try {
    // Commander would answer `kredo snd --help` with the general help.
    await program.parseAsync(isKnown ? words : words.slice(0, 1), { from: "user" });
  } catch (error) {
    // The only remaining commander "error" is requested help.
    if (!(error instanceof CommanderError)) throw error;
  }
  return exitCode;
}

const ROOT_FLAGS = ["-h", "--help", "-v", "--version"];

/** Makes `serve` the default command, and turns `kredo help X` into `kredo X --help`. */
function normalize(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === "help") return [...rest.filter((word) => !ROOT_FLAGS.includes(word)), "--help"];
  return first === undefined || (first.startsWith("-") && !ROOT_FLAGS.includes(first)) ? ["serve", ...argv] : argv;
}

/** Builds the commander program: the named command with its options, or all commands, to list or suggest them. */
async function buildProgram(name: string | undefined, terminal: Terminal, run: Run): Promise<Parser> {
  const program = new Parser("kredo");
  program
    .description("A local sandbox for prepaid airtime and SMS gateways in Kenya.")
    .usage("[COMMAND] [options]")
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .option("-v, --version", "print the version")
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput(outputOn(terminal))
    .addHelpText("after", HELP_END);
  failWith(program);
  const named = COMMANDS.find((entry) => entry.name === name);
  if (named !== undefined) describeCommand(program.command(named.name), await named.load(), run);
  else
    for (const { name: listed, summary, group } of COMMANDS) program.command(listed).summary(summary).helpGroup(group);
  return program;
}

const HELP_END = `
kredo COMMAND --help says more about a command.
${wrap(EXIT_CODES, 80).join("\n")}

Documentation: kredo docs quick-start`;

/** Suppresses commander's error output; `run` reports errors in one line. */
function outputOn({ stdout, env }: Terminal): OutputConfiguration {
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => stdout.columns ?? (Number(env["COLUMNS"]) || 80),
    getOutHasColors: () => false,
  };
}
