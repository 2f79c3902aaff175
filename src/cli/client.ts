import { formatMistake } from "../document/problem.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { type Answer, exchange, type Inquiry, Unanswered } from "./exchange.ts";
import { Halt } from "./halt.ts";
import { listAt, readJson, textAt } from "./json-view.ts";
import { readTarget, type Target } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said } from "./verb.ts";
import { printable } from "./wording.ts";

/** A client verb at work: whom it asks, and how it prints. */
export interface Client {
  readonly target: Target;
  readonly terminal: Terminal;
  /** Whether answers are printed as they came. */
  readonly isRaw: boolean;
}

export async function clientFor(said: Said, terminal: Terminal): Promise<Client> {
  return { target: await readTarget(said, terminal), terminal, isRaw: said.flags.has("json") };
}

/** Longer than any acknowledgment that a scenario delays, so that a hanging one ends too. */
const LIMIT: Millis = 30 * SECOND;

export interface Request {
  readonly method: Inquiry["method"];
  /** Below the account, for the control API: "/clock/advance". */
  readonly path: string;
  readonly body?: unknown;
  readonly limit?: Millis;
}

/** An answer with its body read as JSON; undefined where that is none. */
export interface JsonAnswer extends Answer {
  readonly json: unknown;
  /** Method and path of the request. */
  readonly asked: string;
}

/** Asks the gateway, in the account's name. */
export function askGateway(client: Client, request: Request): Promise<JsonAnswer> {
  const { consumerKey, consumerSecret } = client.target;
  const credentials = Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64");
  return ask(client, request, { authorization: `Basic ${credentials}` });
}

/** Asks the control API about the account, whatever it answers. */
export function askControl(client: Client, request: Request): Promise<JsonAnswer> {
  const { account, adminToken } = client.target;
  const path = `/__admin/accounts/${encodeURIComponent(account)}${request.path}`;
  return ask(client, { ...request, path }, adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` });
}

/** Asks the control API about the account; halts when it refuses. */
export async function control(client: Client, request: Request): Promise<JsonAnswer> {
  const answer = await askControl(client, request);
  refuseUnlessWell(client, answer);
  return answer;
}

/** Prints the answer: as it came, or in these lines. */
export function report({ isRaw, terminal }: Client, { text }: Answer, lines: readonly string[]): void {
  printLines(terminal.stdout, isRaw ? rawLines(text) : lines);
}

export function refuseUnlessWell({ isRaw, target, terminal }: Client, answer: JsonAnswer): void {
  if (answer.status < 400 && (answer.json !== undefined || answer.text === "")) return;
  if (!isRefusal(answer)) throw new Halt(3, explainStranger(target.url, answer));
  if (!isRaw) throw new Halt(1, explainRefusal(answer).join("\n"));
  printLines(terminal.stdout, rawLines(answer.text));
  throw new Halt(1, "");
}

async function ask(
  { target }: Client,
  { method, path, body, limit = LIMIT }: Request,
  headers: Record<string, string>,
): Promise<JsonAnswer> {
  const inquiry = { method, url: `${target.url}${path}`, limit, headers: { accept: "application/json", ...headers } };
  const written =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { ...inquiry.headers, "content-type": "application/json" } };
  try {
    const answer = await exchange({ ...inquiry, ...written });
    return { ...answer, json: readJson(answer.text), asked: `${method} ${path}` };
  } catch (error) {
    throw error instanceof Unanswered ? new Halt(3, explainSilence(target.url, error)) : error;
  }
}

function explainSilence(url: string, { message, wasConnected, repair }: Unanswered): string {
  if (repair !== undefined) return `${url} cannot be asked (${message}): ${repair}.`;
  return wasConnected
    ? `${url} took the connection and gave no answer (${message}): whether the request was carried out is unknown.`
    : `No sandbox answers at ${url} (${message}): start one with \`kredo serve\`, or name it with --url.`;
}

function rawLines(text: string): string[] {
  return text === "" ? [] : [text.trimEnd()];
}

/** The control API refuses nothing without a repair. */
function isRefusal({ json }: JsonAnswer): boolean {
  return textAt(json, "problem") !== undefined && textAt(json, "repair") !== undefined;
}

/** Another program, or one that stands before a sandbox. */
export function explainStranger(url: string, { asked, status, text }: JsonAnswer): string {
  const body = printable(text.slice(0, 200)) || "no body";
  return `What answers at ${url} is not a Kredo sandbox: ${asked} got ${status} and ${body}. Name the sandbox with --url; kredo serve prints its address.`;
}

function explainRefusal({ status, json }: JsonAnswer): string[] {
  const details = listAt(json, "problems").map((detail) => `  ${sayMistake(detail, textAt(detail, "path") ?? "")}`);
  return [`Refused with ${status}: ${sayMistake(json, "")}`, ...details];
}

function sayMistake(json: unknown, place: string): string {
  const [problem, repair] = [textAt(json, "problem") ?? "", textAt(json, "repair")];
  return printable(repair === undefined ? `${place} ${problem}`.trim() : formatMistake(place, { problem, repair }));
}
