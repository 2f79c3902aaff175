import { isInteger, parse, stringify } from "lossless-json";
import { findJsonExcess } from "../../gateway/document/nesting.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { callOverHttp, type HttpReply } from "../../control/client/http-exchange.ts";
import { fillBody, fillHeader, fillJson, fillUrl, type Values } from "./placeholders.ts";
import { type ApplicationRequest, methodOf } from "./request.ts";

export interface AskEnvironment {
  readonly interruption: AbortSignal;
  readonly gateway: GatewayAccess;
  /** The application's URL, without a trailing slash. */
  readonly application?: string;
}

export interface GatewayAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly consumerKey: string;
}

export function callApplication(
  request: ApplicationRequest,
  values: Values,
  limit = REQUEST_LIMIT_MILLIS,
): Promise<HttpReply> {
  const { url, headers = {}, json, body } = request;
  const filled = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), fillHeader(value, values)] as const,
  );
  const written = filled.find(([name]) => name === "content-type")?.[1] ?? "";
  const text = json === undefined ? body && fillBody(body, values, written) : stringify(fillJson(json, values));
  const type: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" };
  return callOverHttp({
    method: methodOf(request),
    url: fillUrl(url, values),
    headers: { ...type, ...Object.fromEntries(filled) },
    limit,
    mostBytes: MAX_KEPT_ANSWER,
    body: text,
  });
}

const REQUEST_LIMIT_MILLIS: Millis = 30 * SECOND;

/** In bytes: 1 MiB. */
const MAX_KEPT_ANSWER = 1_048_576;

export const CUT_ANSWER = "the answer is longer than 1 MiB, and no more of one is read; ask for less in the app map";

/** A value that the application shows, or why there is none. */
export type ShownValue<Value> = { readonly value: Value } | { readonly missing: string };

/** A value that the application shows if it is asked for it. Where it is not, nothing is missing. */
export type AskedValue<Value> = ShownValue<Value> | { readonly unasked: string };

/** Returns the text of a successful reply (a status of 200 to 299). */
export function readReply(reply: HttpReply): ShownValue<string> {
  if (reply.kind === "silent") return { missing: `no answer (${reply.reason})` };
  const { status, text } = reply;
  return status >= 200 && status < 300 ? { value: text } : { missing: `answered ${status}${excerpt(text)}` };
}

/**
 * Parses JSON; returns undefined if the text is not JSON or is nested too deep. A whole number beyond 2^53, such as an id of 64 bits, is read as
 * the text of its digits.
 */
export function tryParseJson(text: string): { readonly value: unknown } | undefined {
  if (findJsonExcess(text) !== undefined) return undefined;
  try {
    return { value: parse(text, undefined, { parseNumber: readNumber, onDuplicateKey: ({ newValue }) => newValue }) };
  } catch {
    return undefined;
  }
}

function readNumber(text: string): number | string {
  return isInteger(text) && !Number.isSafeInteger(Number(text)) ? text : Number(text);
}

export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "";
  return `: ${line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line}`;
}

const EXCERPT = 160;

/** Returns JSON without the values whose keys say that they are secret. */
export function withoutSecrets(json: string): string {
  return json.replace(
    /("[^"]*(?:token|secret|password|passwd|api_?key|authorization)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi,
    '$1"…"',
  );
}
