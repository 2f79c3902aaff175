import { Tokenizer } from "@streamparser/json";
import { findJsonExcess } from "../gateway/document/nesting.ts";
import { isKnownHeader, isKnownKey, isKnownService, knownBeginning, knownCode, TOP_UP_CODE } from "./known-forms.ts";
import { callbackOf, type ObservedExchange, type ObservedRequest, responseOf } from "./observed-exchange.ts";
import { hideNumber, hidePhone, hideSentence, hideText, isDecimal, RequestIds } from "./placeholders.ts";

/** The endpoints, under whatever prefix. */
const ENDPOINT = /\/(airtime|sms|account-details)\/?$/;

/**
 * Redacts exchanges. Of each, it keeps what a known form or a known sentence matches, and puts a placeholder of its kind and length in place
 * of everything else. Comparing a redacted exchange gives what comparing the exchange would give.
 */
export class Redactor {
  readonly #ids = new RequestIds();

  /** Returns an exchange without secrets; undefined if it is no exchange with the gateway. */
  redact(exchange: ObservedExchange): ObservedExchange | undefined {
    const { request, status, headers, body, at, isPartial } = exchange;
    const isCallback = callbackOf(exchange) !== undefined;
    const isElsewhere = request?.path !== undefined && !ENDPOINT.test(request.path);
    if (!isCallback && (responseOf(exchange) === undefined || isElsewhere)) return undefined;
    return {
      request: request && this.#redactRequest(request, isCallback),
      status,
      headers: headers && redactHeaders(headers),
      body: this.#redactBody(body),
      at,
      isPartial: isPartial || undefined,
    };
  }

  /** A receiver's path may contain a token. Of a client's headers, the coding of its body alone decides what the gateway does. */
  #redactRequest({ path, headers, body }: ObservedRequest, isCallback: boolean): ObservedRequest {
    const endpoint = ENDPOINT.exec(path ?? "")?.[1];
    const coding = headers?.["content-encoding"];
    const sent = isCallback ? headers : coding && { "content-encoding": coding };
    return {
      path: endpoint === undefined ? undefined : `/api/v2/${endpoint}`,
      headers: sent ? redactHeaders(sent) : undefined,
      body: this.#redactBody(body),
    };
  }

  /** Text stays text, because it shows how numbers are written. */
  #redactBody(body: unknown): unknown {
    if (body === undefined) return undefined;
    if (typeof body !== "string") return JSON.parse(this.#redactJson(JSON.stringify(body)));
    return isJson(body) ? this.#redactJson(body) : hideText(body);
  }

  /** Rewrites the values of valid JSON, each by the keys that it stands under. */
  #redactJson(text: string): string {
    const lists: string[] = [];
    let key = "";
    let rewritten = "";
    const tokens = tokensIn(text);
    for (const [index, token] of tokens.entries()) {
      if (tokens[index + 1] === ":") key = String(JSON.parse(token));
      else if (token === "{" || token === "[") lists.push(key);
      else if (token === "}" || token === "]") key = lists.pop() ?? "";
      const place = { key, above: lists, isElement: tokens[index - 1] !== ":" };
      rewritten += tokens[index + 1] === ":" ? redactKey(key) : this.#redactToken(token, place);
    }
    return rewritten;
  }

  #redactToken(token: string, { key, above, isElement }: Place): string {
    if (!/^["\d-]/.test(token) || (!isElement && isCode(token, key))) return token;
    if (!token.startsWith('"')) return hideNumber(token);
    const value = String(JSON.parse(token));
    // The list of a field at the root, as in one form of a 422, has sentences.
    const isSentence = above.includes("validation_errors") || (isElement && above.length === 2);
    return JSON.stringify(isSentence ? hideSentence(value) : this.#redactText(value, key));
  }

  #redactText(value: string, key: string): string {
    switch (key) {
      case "request_id":
        return this.#ids.hide(value);
      case "description":
      case "result_desc":
        return hideSentence(value);
      case "phone_number":
        return hidePhone(value);
      case "service_name":
        return isKnownService(value) ? value : hideText(value);
      default:
        return AMOUNTS.has(key) && isDecimal(value) ? hideNumber(value) : hideText(value);
    }
  }
}

/** Returns the tokens of valid JSON as they are written. */
function tokensIn(text: string): string[] {
  const bytes = Buffer.from(text);
  const offsets: number[] = [];
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ offset }) => void offsets.push(offset);
  tokenizer.write(bytes);
  // A number ends where the text does.
  if (!tokenizer.isEnded) tokenizer.end();
  return offsets.map((offset, index) => bytes.toString("utf8", offset, offsets[index + 1]).trim());
}

function redactKey(key: string): string {
  if (isKnownKey(key)) return JSON.stringify(key);
  const end = key.endsWith(TOP_UP_CODE) ? TOP_UP_CODE : "";
  return JSON.stringify(hideText(key.slice(0, key.length - end.length)) + end);
}

/** Where a value stands. */
interface Place {
  readonly key: string;
  /** The keys of the objects and lists around it. */
  readonly above: readonly string[];
  /** Whether it is in a list. Codes in one may be a phone number together. */
  readonly isElement: boolean;
}

function isCode(token: string, key: string): boolean {
  return CODES.has(key) && knownCode(JSON.parse(token)) !== undefined;
}

const CODES: ReadonlySet<string> = new Set(["status_code", "result_code"]);
const AMOUNTS: ReadonlySet<string> = new Set(["amount", "charge", "account_balance", "available_balance"]);

function isJson(text: string): boolean {
  if (findJsonExcess(text) !== undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Headers of the gateway's responses and callbacks that say how it works. All others are left out. */
function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      isKnownHeader(name) ? [[name, redactHeader(name, value)]] : [],
    ),
  );
}

function redactHeader(name: string, value: string): string {
  const known = knownBeginning(name, value);
  return known + hideText(value.slice(known.length));
}
