import { quote } from "../document/describe-value.ts";
import { callbackUrlValue } from "../document/account-values.ts";
import { closestWord } from "../document/closest-word.ts";
import { formatMistake } from "../document/problem.ts";
import { type Operation, SINK_URL } from "../domain/settings.ts";
import { showUrl } from "../domain/show-url.ts";
import { type Client, clientFor } from "./client.ts";
import { type Consultation, consultFromHere, consultSandbox, isSandboxThere } from "./consult.ts";
import { describeDiagnosis } from "./describe-diagnosis.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { readUrls } from "./register-urls.ts";
import { controlFlagsWhere } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "doctor callback [URL]";

export const doctor: Verb = {
  usage: [`${USAGE} [flags]`],
  about: [
    "Says why a callback would not arrive at URL: name, connection, TLS, method, CSRF and logins, redirect, answer, time, each with its repair.",
    "It really sends a sample callback, with a request_id that nobody knows. Without URL it takes the account's registered ones.",
    "A sandbox that answers does it from where it runs, which is what counts in containers; without one, this process does.",
    "Exit code 1 if a check failed, 3 if nothing takes connections there.",
  ].join("\n"),
  flags: [
    { name: "operation", value: "airtime|sms|both", about: "what the sample is about; airtime if not said, both without URL" },
    { name: "here", about: "examines from this process, whether or not a sandbox runs" },
    ...controlFlagsWhere("prints each diagnosis as one line of JSON"),
  ],
  run: diagnoseCallbacks,
};

async function diagnoseCallbacks(said: Said, terminal: Terminal): Promise<ExitCode> {
  const url = readUrl(said);
  const operations = readOperations(said, url);
  const client = await clientFor(said, terminal);
  const isHere = await isAskedHere(said, client, url);
  const consultations = url === undefined ? await readRegistered(client, operations) : operations.map((operation) => ({ url, operation }));
  let worst: ExitCode = 0;
  for (const consultation of consultations) {
    const exitCode = await consult(client, consultation, isHere);
    if (exitCode > worst) worst = exitCode;
  }
  return worst;
}

function readUrl({ words: [what, url, ...rest] }: Said): string | undefined {
  if (what !== "callback") throw new Halt(2, explainSubject(what));
  if (rest.length > 0) throw new Halt(2, `${quote(rest[0] ?? "")} is one word too many; write kredo ${USAGE}`);
  if (url === undefined || (url !== SINK_URL && callbackUrlValue.safeParse(url).success)) return url;
  const problem =
    url === SINK_URL ? `${SINK_URL} is inside the sandbox, which always reaches it` : `${quote(url)} is not a URL that can be called`;
  throw new Halt(2, formatMistake("URL", { problem, repair: "write one like http://localhost:3000/hooks" }));
}

function explainSubject(written: string | undefined): string {
  if (written === undefined) return `what to examine is missing; write kredo ${USAGE}`;
  const meant = closestWord(written, ["callback"]);
  return `${quote(written)} cannot be examined; ${meant === undefined ? `write kredo ${USAGE}` : `did you mean "${meant}"?`}`;
}

const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = { airtime: ["airtime"], sms: ["sms"], both: ["airtime", "sms"] };

function readOperations({ flags }: Said, url: string | undefined): readonly Operation[] {
  const written = flags.get("operation") ?? (url === undefined ? "both" : "airtime");
  const operations = Object.hasOwn(OPERATIONS, written) ? OPERATIONS[written] : undefined;
  if (operations !== undefined) return operations;
  const meant = closestWord(written, Object.keys(OPERATIONS));
  const repair = meant === undefined ? "write airtime, sms or both" : `did you mean "${meant}"?`;
  throw new Halt(2, formatMistake("--operation", { problem: `${quote(written)} is not an operation`, repair }));
}

/** A sandbox that was named has to answer; one that only might be there need not. */
async function isAskedHere({ flags }: Said, { target, terminal }: Client, url: string | undefined): Promise<boolean> {
  if (flags.has("here")) return true;
  if (url === undefined || flags.has("url") || terminal.env["KREDO_URL"]) return false;
  return !(await isSandboxThere(target));
}

async function readRegistered(client: Client, operations: readonly Operation[]): Promise<Consultation[]> {
  const urls = await readUrls(client);
  const registered = operations.flatMap((operation) => (urls[operation] === null ? [] : { url: urls[operation], operation }));
  const wanted = operations.join(" or ");
  if (registered.length === 0)
    throw new Halt(2, `no callback URL is registered for ${wanted}; write kredo doctor callback URL, or register one`);
  const inside = registered
    .filter(({ url }) => url === SINK_URL)
    .map(({ operation }) => `${operation}: ${SINK_URL} is inside the sandbox, which always reaches it.`);
  printLines(client.isRaw ? client.terminal.stderr : client.terminal.stdout, inside);
  return registered.filter(({ url }) => url !== SINK_URL);
}

async function consult(client: Client, consultation: Consultation, isHere: boolean): Promise<ExitCode> {
  const { isRaw, target, terminal } = client;
  const place = isHere ? "this process" : `the sandbox at ${target.url}`;
  const notice = `Sending a sample callback (${consultation.operation}, request_id known to nobody) to ${showUrl(consultation.url)} from ${place}.`;
  if (!isRaw) printLines(terminal.stdout, [notice]);
  const diagnosis = isHere ? await consultFromHere(consultation, terminal) : await consultSandbox(consultation, client);
  printLines(terminal.stdout, isRaw ? [JSON.stringify(diagnosis)] : describeDiagnosis(diagnosis, terminal));
  return ({ well: 0, failed: 1, unreached: 3 } as const)[diagnosis.conclusion];
}
