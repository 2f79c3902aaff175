import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { serve } from "./serve.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Manual, Verb, Wrapper } from "./verb.ts";
import { messageOf } from "../domain/message-of.ts";

interface Entry {
  readonly about: string;
  readonly load: () => Promise<Verb | Wrapper>;
}

/** Every verb with a line about it; its code is loaded when it is asked for. `serve` is there at once, and reads its own flags. */
const VERBS: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ["init", { about: "writes files to begin with", load: async () => (await import("./init.ts")).init }],
  ["validate", { about: "checks config, scenario and rehearsal files", load: async () => (await import("./validate.ts")).validate }],
  ["send", { about: "sends airtime or an SMS", load: async () => (await import("./send.ts")).send }],
  ["balance", { about: "prints what the wallet holds", load: async () => (await import("./balance.ts")).balance }],
  ["top-up", { about: "adds money to the wallet", load: async () => (await import("./top-up.ts")).topUp }],
  ["listen", { about: "receives callbacks, prints and acknowledges them", load: async () => (await import("./listen.ts")).listen }],
  ["resend", { about: "delivers a callback again", load: async () => (await import("./resend.ts")).resend }],
  ["advance", { about: "moves a manual clock on", load: async () => (await import("./advance.ts")).advance }],
  ["reset", { about: "takes the account back to its start", load: async () => (await import("./reset.ts")).reset }],
  ["preview", { about: "measures and prices an SMS", load: async () => (await import("./preview.ts")).preview }],
  ["doctor", { about: "says why a callback would not arrive", load: async () => (await import("./doctor.ts")).doctor }],
  ["rehearse", { about: "runs graded rehearsals", load: async () => (await import("./rehearse.ts")).rehearse }],
  ["list", { about: "names the shipped scenarios and rehearsals", load: async () => (await import("./list.ts")).list }],
  ["exec", { about: "runs a command beside a sandbox, and reports", load: async () => (await import("./exec.ts")).exec }],
  ["ready", { about: "says whether the sandbox is ready", load: async () => (await import("./ready.ts")).ready }],
]);

const SERVE_ABOUT = "runs the sandbox (default)";
const HELP_FLAGS = ["--help", "-h"];

/** Does what the command line says. Never rejects: a fault of our own is one line, and exit code 1. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runVerb(argv, terminal);
  } catch (error) {
    printLines(terminal.stderr, explainEnd(error, terminal.env["KREDO_DEBUG"] === "1"));
    return error instanceof Halt ? error.exitCode : 1;
  }
}

/** The lines for whoever sees the command end: a halt's own message, or that it is our fault. */
export function explainEnd(error: unknown, withStack: boolean): string[] {
  if (error instanceof Halt) return error.message === "" ? [] : [error.message];
  if (withStack && error instanceof Error && error.stack !== undefined) return [error.stack];
  const message = messageOf(error);
  return [`kredo failed: ${message} (set KREDO_DEBUG=1 to see where)`];
}

async function runVerb(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first = "serve", ...rest] = argv;
  if (HELP_FLAGS.includes(first) || first === "help") return explain(rest, terminal);
  if (first === "--version") return printVersion(terminal);
  const [name, words] = first.startsWith("-") ? ["serve", argv] : [first, rest];
  if (asksForHelp(words)) return explain([name], terminal);
  if (name === "serve") return serve(words, terminal);
  const verb = await findEntry(name).load();
  if ("wrap" in verb) return verb.wrap(words, terminal);
  const { readSaid } = await import("./read-said.ts");
  return verb.run(readSaid(words, verb), terminal);
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end === -1 ? words : words.slice(0, end)).some((word) => HELP_FLAGS.includes(word));
}

async function explain([name]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { formatManual, formatTable } = await import("./help.ts");
  const overview = [
    "usage: kredo [VERB] [flags]",
    "",
    "A local sandbox for prepaid airtime and SMS gateways in Kenya.",
    "",
    "verbs:",
    ...formatTable([["serve", SERVE_ABOUT], ...[...VERBS].map(([verb, { about }]) => [verb, about] as const)]),
    "",
    "kredo VERB --help says more about a verb; kredo --version prints the version.",
    "Exit codes: 0 well, 1 a check failed, 2 bad input or config, 3 a target could not be reached.",
  ];
  printLines(terminal.stdout, name === undefined || name.startsWith("-") ? overview : [formatManual(await findManual(name))]);
  return 0;
}

async function findManual(name: string): Promise<Manual> {
  return name === "serve" ? (await import("./serve-manual.ts")).serveManual : findEntry(name).load();
}

function findEntry(name: string): Entry {
  const entry = VERBS.get(name);
  if (entry !== undefined) return entry;
  const meant = closestWord(name, ["serve", ...VERBS.keys(), "help"]);
  throw new Halt(2, `${quote(name)} is not a verb; ${meant === undefined ? "kredo --help lists them" : `did you mean "${meant}"?`}`);
}

async function printVersion({ stdout }: Terminal): Promise<ExitCode> {
  const { VERSION } = await import("../version.ts");
  printLines(stdout, [VERSION]);
  return 0;
}
