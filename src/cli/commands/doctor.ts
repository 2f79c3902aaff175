import { type ExitCode, CliError, invalidInput } from "../cli-error.ts";
import { type Client, clientFor, readUrls } from "../client.ts";
import { controlFlagsWhere } from "../target.ts";
import type { Command, CommandGroup, ParsedArgs } from "../command.ts";
import { type CallbackTarget, diagnoseFromHere, diagnoseFromSandbox, isSandboxThere } from "../examine-callback.ts";
import { paint, printable } from "../output.ts";
import { printLines, type Terminal } from "../terminal.ts";
import { callbackUrlValue } from "../../settings/callbacks.ts";
import type { Operation } from "../../domain/order.ts";
import { SINK_URL } from "../../domain/callback-outcome.ts";
import { quote } from "../../document/describe-value.ts";
import { showUrl } from "../../domain/show-url.ts";
import type { DiagnosisJson } from "../../http/control/verdict/callback-doctor.ts";

const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  airtime: ["airtime"],
  sms: ["sms"],
  both: ["airtime", "sms"],
};

const doctorCallback: Command = {
  name: "callback",
  about: [
    "Find out why a callback would not arrive at URL: name, connection, TLS and answer, each",
    "with its repair. It sends a real sample callback with an unknown request_id. Without URL, it checks the account's registered URLs.",
    "If a sandbox is running, the check is made from there, which is what counts in containers; otherwise from this process.",
    "Exit code 1 if a check failed, 3 if nothing accepts connections at URL.",
  ].join(" "),
  arguments: ["[URL]"],
  flags: [
    {
      name: "operation",
      value: "OPERATION",
      choices: Object.keys(OPERATIONS),
      about: "the operation of the sample (default: airtime; both without URL)",
    },
    { name: "here", about: "check from this process, even if a sandbox is running" },
    ...controlFlagsWhere("print each diagnosis as one line of JSON"),
  ],
  examples: ["kredo doctor callback http://localhost:3000/hooks/airtime", "kredo doctor callback --operation sms"],
  docs: "docs/troubleshooting-callbacks.md",
  async run(args, terminal) {
    const url = readUrl(args);
    const operations = OPERATIONS[args.flags.get("operation") ?? (url === undefined ? "both" : "airtime")] ?? [];
    const client = await clientFor(args, terminal);
    const isHere = await isAskedHere(args, client, url);
    const targets =
      url === undefined
        ? await readRegistered(client, operations)
        : operations.map((operation) => ({ url, operation }));
    let worst: ExitCode = 0;
    for (const target of targets) {
      const exitCode = await diagnose(client, target, isHere);
      if (exitCode > worst) worst = exitCode;
    }
    return worst;
  },
};

export const doctor: CommandGroup = {
  name: "doctor",
  about: "Check every step of a callback's route.",
  commands: [doctorCallback],
  examples: doctorCallback.examples,
  docs: doctorCallback.docs,
};

function readUrl({ words: [url] }: ParsedArgs): string | undefined {
  if (url === undefined || (url !== SINK_URL && callbackUrlValue.safeParse(url).success)) return url;
  const problem =
    url === SINK_URL
      ? `${SINK_URL} is inside the sandbox and always reachable`
      : `${quote(url)} is not a URL that can be called`;
  throw invalidInput("URL", { problem, repair: "write a URL like http://localhost:3000/hooks" });
}

/** Returns whether to check from this process. A sandbox that the user named must answer; one that merely might be running need not. */
async function isAskedHere(
  { flags }: ParsedArgs,
  { target, terminal }: Client,
  url: string | undefined,
): Promise<boolean> {
  if (flags.has("here")) return true;
  if (url === undefined || flags.has("url") || terminal.env["KREDO_URL"]) return false;
  return !(await isSandboxThere(target));
}

async function readRegistered(client: Client, operations: readonly Operation[]): Promise<CallbackTarget[]> {
  const urls = await readUrls(client);
  const registered = operations.flatMap((operation) =>
    urls[operation] === null ? [] : { url: urls[operation], operation },
  );
  const wanted = operations.join(" or ");
  if (registered.length === 0)
    throw new CliError(
      2,
      `no callback URL is registered for ${wanted}; write kredo doctor callback URL, or register one`,
    );
  const inside = registered
    .filter(({ url }) => url === SINK_URL)
    .map(({ operation }) => `${operation}: ${SINK_URL} is inside the sandbox and always reachable.`);
  printLines(client.isRaw ? client.terminal.stderr : client.terminal.stdout, inside);
  return registered.filter(({ url }) => url !== SINK_URL);
}

async function diagnose(client: Client, callback: CallbackTarget, isHere: boolean): Promise<ExitCode> {
  const { isRaw, target, terminal } = client;
  const place = isHere ? "this process" : `the sandbox at ${target.url}`;
  const notice = `Sending a sample callback (${callback.operation}, unknown request_id) to ${showUrl(callback.url)} from ${place}.`;
  if (!isRaw) printLines(terminal.stdout, [notice]);
  const diagnosis = isHere ? await diagnoseFromHere(callback, terminal) : await diagnoseFromSandbox(callback, client);
  printLines(terminal.stdout, isRaw ? [JSON.stringify(diagnosis)] : describeDiagnosis(diagnosis, terminal));
  return ({ ok: 0, failed: 1, unreachable: 3 } as const)[diagnosis.conclusion];
}

type Check = DiagnosisJson["checks"][number];

const MARKS: Readonly<Record<Check["verdict"], string>> = {
  ok: "ok",
  warning: "warning",
  failed: "FAILED",
  skipped: "-",
};
const MARK_WIDTH = 8;
const CHECK_WIDTH = 12;

/** Returns a line for each check, with its repair, and a summary. */
function describeDiagnosis({ checks, container, acknowledged }: DiagnosisJson, terminal: Terminal): string[] {
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  const from =
    container === null
      ? ""
      : ` (seen from inside a ${container === "container" ? container : `${container} container`})`;
  const summary = failed.length === 0 ? "A callback arrives and is acknowledged" : sumUp(failed, acknowledged);
  return [
    ...checks.map((check) => describeCheck(check, terminal)),
    paint(`${summary}${from}.`, failed.length === 0 ? "green" : "red", terminal),
  ];
}

function describeCheck({ check, verdict, seen, repair }: Check, terminal: Terminal): string {
  const mark = MARKS[verdict].padEnd(MARK_WIDTH);
  const shown =
    verdict === "ok" || verdict === "failed" ? paint(mark, verdict === "ok" ? "green" : "red", terminal) : mark;
  return `${shown}${check.padEnd(CHECK_WIDTH)}${printable(repair === undefined ? seen : `${seen}; ${repair}`)}`;
}

function sumUp(failed: readonly string[], acknowledged: boolean): string {
  const where = failed.join(" and ");
  return acknowledged
    ? `A callback is acknowledged, but has problems: see ${where}`
    : `A callback would not be acknowledged: see ${where}`;
}
