import { findJsonExcess } from "../../gateway/document/nesting.ts";
import {
  isKnownHeader,
  isKnownKey,
  isKnownService,
  knownBeginning,
  knownCode,
} from "../../gateway/settings/known-forms.ts";
import {
  callbackOf,
  type ObservedExchange,
  type ObservedRequest,
  responseOf,
} from "../../gateway/settings/observed-exchange.ts";
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

  /** A receiver's path may contain a token, and a client's headers say nothing of the gateway. */
  #redactRequest({ path, headers, body }: ObservedRequest, isCallback: boolean): ObservedRequest {
    const endpoint = ENDPOINT.exec(path ?? "")?.[1];
    return {
      path: endpoint === undefined ? undefined : `/api/v2/${endpoint}`,
      headers: isCallback && headers ? redactHeaders(headers) : undefined,
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
    const tokens = text.match(TOKEN) ?? [];
    for (const [index, token] of tokens.entries()) {
      if (tokens[index + 1] === ":") key = String(JSON.parse(token));
      else if (token === "{" || token === "[") lists.push(key);
      else if (token === "}" || token === "]") key = lists.pop() ?? "";
      rewritten += tokens[index + 1] === ":" ? redactKey(key) : this.#redactToken(token, key, lists);
    }
    return rewritten;
  }

  #redactToken(token: string, key: string, above: readonly string[]): string {
    if (!/^["\d-]/.test(token)) return token;
    const isText = token.startsWith('"');
    const value = isText ? String(JSON.parse(token)) : token;
    if (CODES.has(key) && knownCode(value) !== undefined) return token;
    if (!isText) return hideNumber(token);
    return JSON.stringify(above.includes("validation_errors") ? hideSentence(value) : this.#redactText(value, key));
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

/** A string, a number, a word or a bracket of JSON (RFC 8259). */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}[\],:]/g;

function redactKey(key: string): string {
  return JSON.stringify(isKnownKey(key) ? key : hideText(key));
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
