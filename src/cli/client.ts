import type { IncomingHttpHeaders } from "node:http";
import { exchange, sendOverHttp, streamOverHttp, Unanswered } from "../adapters/http-exchange.ts";
import { followJournal, type JournalReader } from "../control-client/follow-journal.ts";
import {
  accountPath,
  type ControlAnswer,
  ControlClient,
  ControlError,
  readJson,
  type Send,
} from "../control-client/control-client.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { CliError } from "./cli-error.ts";
import { numberAt, textAt } from "./json-view.ts";
import { readTarget, type Target } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { ParsedArgs } from "./command.ts";
import { paint, printable } from "./output.ts";

/** What a command needs to talk to a sandbox and print its responses. */
export interface Client {
  readonly target: Target;
  readonly terminal: Terminal;
  /** Whether responses are printed exactly as received. */
  readonly isRaw: boolean;
}

export async function clientFor(args: ParsedArgs, terminal: Terminal): Promise<Client> {
  return { target: await readTarget(args, terminal), terminal, isRaw: args.flags.has("json") };
}

/** Longer than any acknowledgment that a scenario delays, so that hanging requests end, too. */
const LIMIT: Millis = 30 * SECOND;

export interface Request {
  readonly method: string;
  /** For the control API, relative to the account: "clock/advance". */
  readonly path: string;
  readonly body?: unknown;
  /** A YAML body instead of a JSON one; for the control API only. */
  readonly yaml?: string;
  /** Whether the response is text instead of JSON. */
  readonly isText?: boolean;
  readonly limit?: Millis;
}

export interface GatewayAnswer extends ControlAnswer {
  readonly headers: IncomingHttpHeaders;
}

/** Calls the gateway with the account's credentials. */
export function askGateway({ target }: Client, { method, path, body, limit = LIMIT }: Request): Promise<GatewayAnswer> {
  const credentials = Buffer.from(`${target.consumerKey}:${target.consumerSecret}`).toString("base64");
  const headers = { accept: "application/json", authorization: `Basic ${credentials}` };
  const call = { method, url: `${target.url}${path}`, limit };
  return explainSilence(target, async () => {
    const answer = await exchange(
      body === undefined
        ? { ...call, headers }
        : { ...call, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) },
    );
    return { ...answer, json: readJson(answer.text), asked: `${method} ${path}` };
  });
}

/** Calls the control API for the account and returns any answer. */
export function askControl(
  { target }: Client,
  { method, path, body, yaml, limit = LIMIT }: Request,
): Promise<ControlAnswer> {
  const control = controlClient(target, (request) => sendOverHttp(request, limit));
  return explainSilence(target, () =>
    yaml === undefined ? control.call(method, path, body) : control.callYaml(path, yaml),
  );
}

function controlClient({ url, account, adminToken }: Target, send: Send): ControlClient {
  return new ControlClient({ url, send, ...(adminToken !== undefined && { adminToken }) }, accountPath(account));
}

/** Follows the account's journal from its beginning until the stream ends or the signal aborts. */
export function follow({ target }: Client, reader: JournalReader): Promise<void> {
  return explainSilence(target, () => followJournal(controlClient(target, streamOverHttp), undefined, reader));
}

async function explainSilence<Answer>({ url }: Target, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof Unanswered ? new CliError(3, describeSilence(url, error)) : error;
  }
}

function describeSilence(url: string, { message, wasConnected, repair }: Unanswered): string {
  if (repair !== undefined) return `${url} cannot be reached (${message}): ${repair}.`;
  return wasConnected
    ? `${url} accepted the connection but sent no answer (${message}): whether the request was carried out is unknown.`
    : `No sandbox answers at ${url} (${message}): start one with \`kredo serve\`, or pass its URL with --url.`;
}

/** Asks the control API about the account; throws a CliError if it refuses. */
export async function control(client: Client, request: Request): Promise<ControlAnswer> {
  const answer = await askControl(client, request);
  if (request.isText !== true || answer.status >= 400) expectSuccess(client, answer);
  return answer;
}

/** The callback URL of each operation; null if there is none. */
export interface CallbackUrls {
  readonly airtime: string | null;
  readonly sms: string | null;
}

export async function readUrls(client: Client): Promise<CallbackUrls> {
  const { json } = await control(client, { method: "GET", path: "callbacks" });
  return { airtime: textAt(json, "airtime") ?? null, sms: textAt(json, "sms") ?? null };
}

export async function registerUrls(client: Client, urls: Partial<CallbackUrls>): Promise<void> {
  await control(client, { method: "PUT", path: "callbacks", body: urls });
}

/** Prints the response: raw, or as these lines. */
export function report(
  { isRaw, terminal }: Client,
  { text }: Pick<ControlAnswer, "text">,
  lines: readonly string[],
): void {
  printLines(terminal.stdout, isRaw ? rawLines(text) : lines);
}

export function expectSuccess({ isRaw, target, terminal }: Client, answer: ControlAnswer): void {
  if (answer.status < 400 && (answer.json !== undefined || answer.text === "")) return;
  if (!isRefusal(answer)) throw new CliError(3, explainStranger(target.url, answer));
  if (!isRaw)
    throw new CliError(1, printableLines(`Refused with ${new ControlError(answer.status, answer.json).message}`));
  printLines(terminal.stdout, rawLines(answer.text));
  throw new CliError(1, "");
}

function rawLines(text: string): string[] {
  return text === "" ? [] : [text.trimEnd()];
}

/** Every refusal by the control API contains a repair. */
function isRefusal({ json }: ControlAnswer): boolean {
  return textAt(json, "problem") !== undefined && textAt(json, "repair") !== undefined;
}

/** Describes another program, or a proxy in front of a sandbox. */
export function explainStranger(url: string, { asked, status, text }: ControlAnswer): string {
  const body = printable(text.slice(0, 200)) || "no body";
  return `The server at ${url} is not a Kredo sandbox: ${asked} got ${status} and ${body}. Pass the sandbox's URL with --url; kredo serve prints it.`;
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * Prints a refusal by the gateway with its envelope and ends the command. Checks the envelope's code, because the HTTP status may always be
 * 200 (`http_status`).
 */
export function expectAccepted(client: Client, answer: GatewayAnswer): void {
  if (numberAt(answer.json, "status_code") === 200) return;
  report(client, answer, describeEnvelope(client, answer));
  throw new CliError(1, "");
}

function describeEnvelope(
  { target, terminal }: Client,
  { asked, status, headers, json, text }: GatewayAnswer,
): string[] {
  const code = numberAt(json, "status_code");
  if (code === undefined)
    return [
      paint(`${asked} got ${status}, not with the gateway's envelope:`, "red", terminal),
      printable(text.slice(0, 1_000)) || "(no body)",
      `A scenario can do that. If none does, ${target.url} is not a sandbox: pass the sandbox's URL with --url; kredo serve prints it.`,
    ];
  return [
    paint(`Refused with ${code}: ${printable(textAt(json, "description") ?? "")}`, "red", terminal),
    JSON.stringify(json, undefined, 2),
    ...["x-kredo-hint", "x-kredo-rule"].flatMap((name) => describeHeader(name, headers[name])),
  ];
}

function describeHeader(name: string, value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${printable(String(value))}`];
}
