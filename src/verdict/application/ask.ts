import { findJsonExcess } from "../../gateway/document/nesting.ts";
import { type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { callOverHttp, type HttpReply } from "../http-exchange.ts";
import { type CommandEnd, runInShell } from "./shell.ts";
import { fill, fillJson, type Values } from "./placeholders.ts";
import { type ApplicationRequest, methodOf, type Source } from "./request.ts";

/** What is needed to talk to the application. */
export interface AskEnvironment {
  /** Aborts running commands. */
  readonly interruption: AbortSignal;
  readonly gateway: GatewayAccess;
  /** The application's URL, without a trailing slash. */
  readonly application?: string;
}

/** How to call the gateway as the account. */
export interface GatewayAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** The application's answer to a question, or why there was none. */
export type Reply = HttpReply | CommandEnd;

/** Sends a request to the application, or runs a command. */
export async function askApplication(
  { request, command }: Source,
  environment: AskEnvironment,
  values: Values,
): Promise<Reply> {
  if (request !== undefined) return callApplication(request, values);
  if (command !== undefined) return runCommand(command, environment);
  throw new Error("neither a request nor a command");
}

export function callApplication(request: ApplicationRequest, values: Values): Promise<Reply> {
  const { url, headers = {}, json, body } = request;
  const text = json === undefined ? body && fill(body, values) : JSON.stringify(fillJson(json, values));
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, values)]);
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return callOverHttp({
    method: methodOf(request),
    url: fill(url, values),
    headers: { ...type, ...Object.fromEntries(filled) },
    limit: REQUEST_LIMIT_MILLIS,
    mostBytes: MOST_OF_ANSWER,
    body: text,
  });
}

/** How long an answer may take. */
const REQUEST_LIMIT_MILLIS: Millis = 30 * SECOND;

/** The most bytes of an answer that are read. */
const MOST_OF_ANSWER = 1_048_576;

/** How long a command may take. */
const COMMAND_LIMIT_MILLIS: Millis = 10 * MINUTE;

/** The sandbox and the application are passed as environment variables, because braces in a command line belong to the shell. */
function runCommand(command: string, environment: AskEnvironment): Promise<Reply> {
  const { gateway, application, interruption } = environment;
  const variables = {
    KREDO_URL: gateway.url,
    KREDO_BASE_URL: `${gateway.url}/api/v2`,
    KREDO_CONSUMER_KEY: gateway.consumerKey,
    KREDO_CONSUMER_SECRET: gateway.consumerSecret,
    ...(application !== undefined && { KREDO_APP: application }),
  };
  return runInShell({ command, environment: variables, limit: COMMAND_LIMIT_MILLIS }, interruption);
}

/** Returns the text of a successful reply (a status of 200 to 299, or exit code 0), or what is wrong with it. */
export function readReply(reply: Reply): { readonly text: string } | { readonly wrong: string } {
  switch (reply.kind) {
    case "answered":
      return reply.status >= 200 && reply.status < 300
        ? { text: reply.text }
        : { wrong: `answered ${reply.status}${excerpt(reply.text)}` };
    case "exited":
      return reply.code === 0
        ? { text: reply.text }
        : { wrong: `the command ended with ${reply.code}${excerpt(reply.complaint || reply.text)}` };
    case "silent":
      return { wrong: `no answer (${reply.reason})` };
    case "cut short":
      return { wrong: `the command ${reply.reason}` };
  }
}

/** Parses JSON; returns undefined if the text is not JSON or is nested too deep. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  if (findJsonExcess(text) !== undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns about the first line of a text, for use in a sentence. */
export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "";
  return `: ${line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line}`;
}

const EXCERPT = 160;
