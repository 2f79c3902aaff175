import type { IncomingHttpHeaders } from "node:http";
import { type Operation, forEachProduct } from "../../gateway/domain/order.ts";
import { exchange, Unanswered } from "../../control/client/http-exchange.ts";
import {
  accountPath,
  type ControlAnswer,
  ControlClient,
  ControlError,
  jsonOf,
  type Query,
  parseJsonOrUndefined,
  readPages,
  type Send,
  withQuery,
} from "../../control/client/control-client.ts";
import type { AnswerOf } from "../../control/client/calls-of.ts";
import type { ListJson } from "../../control/client/shapes.ts";
import type { JudgedAccountCalls } from "../../verdict/endpoints/client.ts";
import { followJournal, type JournalReader } from "../../control/client/follow-journal.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { CliError } from "../terminal/cli-error.ts";
import type { Command, Flag, ParsedArgs } from "../terminal/command.ts";
import { numberAt, textAt, valueAt } from "../terminal/json-view.ts";
import { paint, printable } from "../terminal/output.ts";
import { sendRequest, streamRequest } from "./send-request.ts";
import { CONTROL_FLAGS, readTarget, type Target } from "./target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

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

export interface ClientCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** For the control API, relative to the account: "clock/advance". */
  readonly path: string;
  readonly body?: unknown;
  /** Defaults to `CALL_LIMIT`. */
  readonly limit?: Millis;
}

/** A GET of a list with pages. */
export interface ListCall {
  readonly path: string;
  readonly query: Query;
  /** The most rows to read. */
  readonly rows: number;
}

/** Longer than any acknowledgment that a scenario delays, so that hanging requests end, too. */
const CALL_LIMIT: Millis = 30 * SECOND;

/** What the control API answers to a call, by the types of its route. */
type AnswerTo<Call extends ClientCall | ListCall> = Call extends ClientCall
  ? AnswerOf<JudgedAccountCalls, Call["path"], `$${Lowercase<Call["method"]>}`>
  : AnswerOf<JudgedAccountCalls, Call["path"], "$get">;

interface TypedAnswer<Call extends ClientCall | ListCall> extends ControlAnswer {
  readonly json: AnswerTo<Call>;
}

interface ControlCommand<Call extends ClientCall | ListCall> extends Omit<Command, "flags" | "run"> {
  readonly flags?: readonly Flag[];
  /** A field that every response contains. */
  readonly field?: string;
  readonly request: (args: ParsedArgs, terminal: Terminal) => Call;
  /** Describes the response for people; `--json` prints it as received. */
  readonly describe: (answer: AnswerTo<Call>, args: ParsedArgs, client: Client) => readonly string[];
}

/** A command that makes one request to the control API and prints its answer. */
export function controlCommand<const Call extends ClientCall | ListCall>(options: ControlCommand<Call>): Command {
  const { flags = [], field, request, describe, ...help } = options;
  return {
    ...help,
    flags: [...flags, ...CONTROL_FLAGS],
    async run(args, terminal) {
      const call = request(args, terminal);
      const client = await clientFor(args, terminal);
      const answer = "rows" in call ? await controlList(client, call) : await callControl(client, call);
      if (!client.isRaw && field !== undefined) expectField(client, answer, field);
      printAnswer(client, answer, client.isRaw ? [] : describe(answer.json, args, client));
      return 0;
    },
  };
}

/** Asks the control API about the account; throws a CliError if it refuses. */
export async function callControl<const Call extends ClientCall>(
  client: Client,
  call: Call,
): Promise<TypedAnswer<Call>> {
  const answer = await askControl(client, call);
  expectSuccess(client, answer);
  return { ...answer, json: jsonOf(answer) };
}

/** Asks the control API for a list. Returns one answer with the rows of all its pages, up to the wanted number. */
async function controlList<Call extends ListCall>(
  client: Client,
  { path, query, rows }: Call,
): Promise<TypedAnswer<Call>> {
  const ask = async (page: Query): Promise<AnswerTo<Call> & ListJson<unknown>> => {
    const answer = await callControl(client, { method: "GET", path: withQuery(path, { ...query, ...page }) });
    expectField(client, answer, "items");
    return jsonOf(answer);
  };
  const list = await readPages(ask, rows);
  return { status: 200, text: JSON.stringify(list), json: list, call: `GET ${path}` };
}

function expectField({ target }: Client, answer: ControlAnswer, field: string): void {
  if (valueAt(answer.json, field) === undefined) throw new CliError(3, explainOtherServer(target.url, answer));
}

/** Calls the control API for the account and returns any answer. */
export function askControl({ target }: Client, call: ClientCall): Promise<ControlAnswer> {
  const { method, path, body, limit = CALL_LIMIT } = call;
  const api = controlClient(target, (request) => sendRequest(request, limit));
  return explainSilence(target, () => api.call(method, path, body));
}

function controlClient({ url, account, adminToken }: Target, send: Send): ControlClient {
  return new ControlClient({ url, send, adminToken }, accountPath(account));
}

/** Follows the account's journal from its beginning until the stream ends or the signal aborts. */
export function follow({ target }: Client, reader: JournalReader): Promise<void> {
  const client = controlClient(target, (request) => streamRequest(request, reader.signal));
  return explainSilence(target, () => followJournal(client, undefined, reader));
}

async function explainSilence<Answer>({ url }: Target, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const { message, wasConnected, repair } = error;
    if (repair !== undefined) throw new CliError(3, `${url} cannot be reached (${message}): ${repair}.`);
    const problem = wasConnected
      ? `${url} accepted the connection but sent no answer (${message}): whether the request was carried out is unknown.`
      : `No sandbox answers at ${url} (${message}): start one with \`kredo serve\`, or pass its URL with --url.`;
    throw new CliError(3, problem);
  }
}

/** The time limit for checking whether a sandbox runs on this machine. */
const PRESENCE_LIMIT: Millis = 2 * SECOND;

export async function isSandboxRunning(url: string): Promise<boolean> {
  try {
    const call = { method: "GET", url: `${url}/livez`, headers: {}, limit: PRESENCE_LIMIT };
    const { status, text } = await exchange(call);
    return status === 200 && text === "live\n";
  } catch (error) {
    if (error instanceof Unanswered) return false;
    throw error;
  }
}

/** Prints the response: raw, or as these lines. */
export function printAnswer({ isRaw, terminal }: Client, { text }: ControlAnswer, lines: readonly string[]): void {
  const raw = text === "" ? [] : [text.trimEnd()];
  printLines(terminal.stdout, isRaw ? raw : lines);
}

export function expectSuccess({ target }: Client, answer: ControlAnswer): void {
  if (answer.status < 400 && (answer.json !== undefined || answer.text === "")) return;
  // Every refusal by the control API contains a repair.
  if (textAt(answer.json, "problem") === undefined || textAt(answer.json, "repair") === undefined)
    throw new CliError(3, explainOtherServer(target.url, answer));
  const refusal = `Refused with ${new ControlError(answer.status, answer.json).message}`;
  const exitCode = WRONG_INPUT.includes(answer.status) ? 2 : 1;
  throw new CliError(exitCode, refusal, answer.json);
}

/** The statuses of refusals that blame what the command was given: a value, a name, a token. */
const WRONG_INPUT = [400, 401, 403, 404, 413, 422];

/** Describes another program, or a proxy in front of a sandbox. */
export function explainOtherServer(url: string, { call, status, text }: ControlAnswer): string {
  const body = printable(text.slice(0, 200)) || "no body";
  return `The server at ${url} is not a Kredo sandbox: ${call} got ${status} and ${body}. Pass the sandbox's URL with --url; kredo serve prints it.`;
}

/** The callback URL of each operation; null if there is none. */
export type RegisteredUrls = Readonly<Record<Operation, string | null>>;

export async function readUrls(client: Client): Promise<RegisteredUrls> {
  const { json } = await callControl(client, { method: "GET", path: "callbacks" });
  return forEachProduct((product) => textAt(json, product) ?? null);
}

export async function registerUrls(client: Client, urls: Partial<RegisteredUrls>): Promise<void> {
  await callControl(client, { method: "PUT", path: "callbacks", body: urls });
}

interface GatewayAnswer extends ControlAnswer {
  readonly headers: IncomingHttpHeaders;
}

/**
 * Calls the gateway with the account's credentials. Prints a refusal with its envelope and ends the command. The envelope's code decides,
 * because the HTTP status may always be 200 (`http_status`).
 */
export async function callGateway(client: Client, { method, path, body }: ClientCall): Promise<ControlAnswer> {
  const { url, consumerKey, consumerSecret } = client.target;
  const credentials = Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64");
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const authorization = `Basic ${credentials}`;
  const headers = { accept: "application/json", authorization, "x-kredo-command": "cli", ...type };
  const call = {
    method,
    url: `${url}${path}`,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    limit: CALL_LIMIT,
  };
  const received = await explainSilence(client.target, () => exchange(call));
  const answer = { ...received, json: parseJsonOrUndefined(received.text), call: `${method} ${path}` };
  if (numberAt(answer.json, "status_code") === 200) return answer;
  printAnswer(client, answer, describeEnvelope(client, answer));
  throw new CliError(1, "");
}

function describeEnvelope({ target, terminal }: Client, answer: GatewayAnswer): string[] {
  const { call, status, headers, json, text } = answer;
  // With `refusals.validation: bare`, a 422 has its errors alone.
  const code = numberAt(json, "status_code") ?? (valueAt(json, "validation_errors") === undefined ? undefined : 422);
  if (code === undefined)
    return [
      paint(`${call} got ${status}, not with the gateway's envelope:`, "red", terminal),
      printable(text.slice(0, 1_000)) || "(no body)",
      `A scenario can do that. If none does, ${target.url} is not a sandbox: pass the sandbox's URL with --url; kredo serve prints it.`,
    ];
  const explained = ["x-kredo-hint", "x-kredo-rule"].filter((name) => headers[name] !== undefined);
  return [
    paint(
      `Refused with ${code}: ${printable(textAt(json, "description") ?? "see validation_errors")}`,
      "red",
      terminal,
    ),
    JSON.stringify(json, undefined, 2),
    ...explained.map((name) => `${name}: ${printable(String(headers[name]))}`),
  ];
}
