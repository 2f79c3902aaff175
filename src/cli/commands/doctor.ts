import { randomUUID } from "node:crypto";
import { createUndiciTransport } from "../../gateway/adapters/delivery/undici-transport.ts";
import { configSchema } from "../../config.ts";
import { sampleCallback } from "../../verdict/doctor/sample-callback.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import { type Operation, PRODUCTS } from "../../gateway/domain/order.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { type Millis, MINUTE } from "../../gateway/domain/time.ts";
import { diagnose, type DiagnosisJson, diagnosisShape } from "../../verdict/doctor/diagnose.ts";
import { CliError, type ExitCode, invalidInput } from "../terminal/cli-error.ts";
import { type Client, clientFor, callControl, isSandboxRunning, readUrls } from "../client/client.ts";
import type { Command, CommandGroup, ParsedArgs } from "../terminal/command.ts";
import { credentials } from "./credentials-check.ts";
import { readCallbackUrl } from "../terminal/flag-values.ts";
import { paint, printable } from "../terminal/output.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

const callback: Command = {
  name: "callback",
  about: [
    "Find out why a callback would not arrive at URL: name, connection, TLS and answer, each",
    "with its repair. It sends a real sample callback with an unknown request_id. Without URL, it checks the account's registered URLs.",
    "If a sandbox is running, the check is made from there, which is what counts in containers; otherwise from this process.",
    "With --json, each diagnosis is a line of JSON. Exit code 1 if a check failed, 3 if nothing accepts connections at URL.",
  ].join(" "),
  arguments: ["[URL]"],
  flags: [{ name: "here", about: "check from this process, even if a sandbox is running" }, ...CONTROL_FLAGS],
  examples: ["kredo doctor callback http://localhost:3000/hooks/airtime", "kredo doctor callback"],
  docs: "troubleshooting",
  async run(args, terminal) {
    const url = readUrl(args);
    const client = await clientFor(args, terminal);
    const isHere = await isAskedHere(args, client, url);
    const receivers = url === undefined ? await readRegistered(client) : [{ url, operation: "airtime" as const }];
    let worst: ExitCode = 0;
    for (const receiver of receivers) {
      const exitCode = await examine(client, receiver, isHere);
      if (exitCode > worst) worst = exitCode;
    }
    return worst;
  },
};

export const command: CommandGroup = {
  name: "doctor",
  about: "Check every step of a callback's route, or that long credentials arrive whole.",
  commands: [callback, credentials],
};

function readUrl({ words: [url] }: ParsedArgs): string | undefined {
  if (url !== SINK_URL) return url && readCallbackUrl(url, "URL");
  const problem = `${SINK_URL} is inside the sandbox and always reachable`;
  throw invalidInput("URL", { problem, repair: "write a URL like http://localhost:3000/hooks" });
}

/** Returns whether to check from this process. A sandbox that the user named must answer; one that merely might be running need not. */
async function isAskedHere(args: ParsedArgs, { target, terminal }: Client, url: string | undefined): Promise<boolean> {
  if (args.flags.has("here")) return true;
  if (url === undefined || args.flags.has("url") || terminal.env["KREDO_URL"]) return false;
  return !(await isSandboxRunning(target.url));
}

/** A URL to examine, and the operation of the sample. */
interface Receiver {
  readonly url: string;
  readonly operation: Operation;
}

async function readRegistered(client: Client): Promise<Receiver[]> {
  const urls = await readUrls(client);
  const registered = PRODUCTS.flatMap((operation) =>
    urls[operation] === null ? [] : { url: urls[operation], operation },
  );
  if (registered.length === 0)
    throw new CliError(2, "no callback URL is registered; write kredo doctor callback URL, or register one");
  const inside = registered.filter(({ url }) => url === SINK_URL);
  printLines(
    client.isRaw ? client.terminal.stderr : client.terminal.stdout,
    inside.map(({ operation }) => `${operation}: ${SINK_URL} is inside the sandbox and always reachable.`),
  );
  return registered.filter(({ url }) => url !== SINK_URL);
}

async function examine(client: Client, receiver: Receiver, isHere: boolean): Promise<ExitCode> {
  const { isRaw, target, terminal } = client;
  const place = isHere ? "this process" : `the sandbox at ${target.url}`;
  const notice = `Sending a sample callback (${receiver.operation}, unknown request_id) to ${showUrl(receiver.url)} from ${place}.`;
  if (!isRaw) printLines(terminal.stdout, [notice]);
  const diagnosis = isHere ? await diagnoseFromHere(receiver, terminal) : await diagnoseFromSandbox(receiver, client);
  printLines(terminal.stdout, isRaw ? [JSON.stringify(diagnosis)] : describeDiagnosis(diagnosis, terminal));
  return ({ ok: 0, failed: 1, unreachable: 3 } as const)[diagnosis.conclusion];
}

/** Examines a URL from this process with the default settings. Any host is allowed, because the user typed the URL. */
async function diagnoseFromHere({ url, operation }: Receiver, { clock }: Terminal): Promise<DiagnosisJson> {
  const transport = createUndiciTransport({ callbackAllow: [], now: () => clock.now() });
  const { gateway, accounts } = configSchema.parse({});
  const [{ balance: available, callbacks }] = accounts;
  const body = sampleCallback({ operation, requestId: randomUUID(), at: clock.now(), gateway, available });
  const delivery = { operation, target: { url, trusted: true }, body, callbacks };
  try {
    return await diagnose(delivery, { transport, signal: new AbortController().signal });
  } finally {
    await transport.close();
  }
}

/** Longer than a DNS lookup, connecting, and waiting for a late answer take with the default `timeout`. */
const DIAGNOSIS_LIMIT: Millis = 2 * MINUTE;

/** Asks the sandbox to examine the URL from where it runs. */
async function diagnoseFromSandbox(body: Receiver, client: Client): Promise<DiagnosisJson> {
  const { json } = await callControl(client, {
    method: "POST",
    path: "callbacks/doctor",
    body,
    limit: DIAGNOSIS_LIMIT,
  });
  const diagnosis = diagnosisShape.safeParse(json);
  if (diagnosis.success) return diagnosis.data;
  const problem = `${client.target.url} answered without a diagnosis: is it a sandbox of this version?`;
  throw new CliError(1, `${problem} --here checks from this process instead.`);
}

type Check = DiagnosisJson["checks"][number];

/** Returns a line for each check, with its repair, and a summary. */
function describeDiagnosis({ checks }: DiagnosisJson, terminal: Terminal): string[] {
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  const isGood = failed.length === 0;
  const summary = isGood
    ? "A callback arrives and is acknowledged"
    : `A callback would not be acknowledged: see ${failed.join(" and ")}`;
  return [
    ...checks.map((check) => describeCheck(check, terminal)),
    paint(`${summary}.`, isGood ? "green" : "red", terminal),
  ];
}

function describeCheck({ check, verdict, seen, repair }: Check, terminal: Terminal): string {
  const mark = { ok: "ok", warning: "warning", failed: "FAILED", skipped: "-" }[verdict].padEnd(8);
  const isPainted = verdict === "ok" || verdict === "failed";
  const shown = isPainted ? paint(mark, verdict === "ok" ? "green" : "red", terminal) : mark;
  return `${shown}${check.padEnd(12)}${printable(repair === undefined ? seen : `${seen}; ${repair}`)}`;
}
