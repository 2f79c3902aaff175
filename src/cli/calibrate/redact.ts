import {
  callbackOf,
  type ObservedExchange,
  type ObservedRequest,
  responseOf,
} from "../../gateway/settings/observed-exchange.ts";

/** Headers of the gateway's responses and callbacks that say how it works. All others are left out. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "content-encoding",
  "retry-after",
  "transfer-encoding",
  "user-agent",
  "www-authenticate",
]);

/** The endpoints, under whatever prefix. */
const ENDPOINT = /\/(airtime|sms|account-details)\/?$/;

/**
 * Returns an exchange without secrets: no Authorization, no phone number beyond its prefix, no text of a message, no names, amounts whose
 * digits are all 1. Undefined if it is no exchange with the gateway.
 */
export function redact(exchange: ObservedExchange): ObservedExchange | undefined {
  const { request, status, headers, body, at, isPartial } = exchange;
  const isCallback = callbackOf(exchange) !== undefined;
  const isElsewhere = request?.path !== undefined && !ENDPOINT.test(request.path);
  if (!isCallback && (responseOf(exchange) === undefined || isElsewhere)) return undefined;
  return {
    request: request && redactRequest(request, isCallback),
    status,
    headers: headers && keptOf(headers),
    body: redactBody(body),
    at,
    isPartial: isPartial || undefined,
  };
}

/** A receiver's path may contain a token, and a client's headers say nothing of the gateway. */
function redactRequest({ path, headers, body }: ObservedRequest, isCallback: boolean): ObservedRequest {
  const endpoint = ENDPOINT.exec(path ?? "")?.[1];
  return {
    path: endpoint === undefined ? undefined : `/api/v2/${endpoint}`,
    headers: isCallback && headers ? keptOf(headers) : undefined,
    body: redactBody(body),
  };
}

function keptOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      KEPT_HEADERS.has(name.toLowerCase()) ? [[name.toLowerCase(), withoutNumbers(value)]] : [],
    ),
  );
}

/** Text stays text, because it shows how numbers are written. */
function redactBody(body: unknown): unknown {
  if (body === undefined) return undefined;
  if (typeof body !== "string") return JSON.parse(redactJson(JSON.stringify(body)));
  try {
    JSON.parse(body);
  } catch {
    return "";
  }
  return redactJson(body);
}

/** A string, a number, a word or a bracket of JSON (RFC 8259). */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}[\],:]/g;

/** Rewrites the values of valid JSON, each by the key that it stands under; elements of a list by the key of the list. */
function redactJson(text: string): string {
  const keys: string[] = [];
  let key = "";
  let rewritten = "";
  const tokens = text.match(TOKEN) ?? [];
  for (const [index, token] of tokens.entries()) {
    if (tokens[index + 1] === ":") {
      key = nameOf(JSON.parse(token));
      rewritten += JSON.stringify(key);
    } else {
      if (token === "{" || token === "[") keys.push(key);
      if (token === "}" || token === "]") key = keys.pop() ?? "";
      rewritten += /^["\d-]/.test(token) ? redactValue(token, key, keys) : token;
    }
  }
  return rewritten;
}

/** A name that is none, such as a phone number, is a secret too. */
function nameOf(key: unknown): string {
  const name = String(key);
  return /^[a-z_][\w.-]{0,60}$/i.test(name) && withoutNumbers(name) === name ? name : REDACTED;
}

const REDACTED = "redacted";

/** How a value is shown, by its key. Strings under any other key are hidden. */
const REWRITES: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^(request_id|service_name)$/, (value) => value],
  [/^(status_code|result_code)$/, (value) => value.slice(0, 40)],
  [/^description$/, withoutNumbers],
  [/^result_desc$/, (value) => withoutNames(withoutNumbers(value))],
  [/^(amount|charge|(account|available)_balance)$/, (value) => value.replaceAll(/[2-9]/g, "1")],
  [/_account_top_up_code$/, (value) => value.replaceAll(/\d/g, "1").replaceAll(/[a-z]/gi, "A")],
  [
    /^phone_number$/,
    (value) => value.replace(/^(\+?(?:254|0)\d{0,3}).*$/s, (_all, start: string) => start.padEnd(value.length, "0")),
  ],
];

function redactValue(token: string, key: string, above: readonly string[]): string {
  const isText = token.startsWith('"');
  const value = isText ? String(JSON.parse(token)) : token;
  const rewrite = above.includes("validation_errors") ? withoutNumbers : REWRITES.find(([name]) => name.test(key))?.[1];
  if (rewrite === undefined) return isText ? `"${REDACTED}"` : "0";
  return isText ? JSON.stringify(rewrite(value)) : rewrite(value);
}

/** Hides what may be a phone number or an account number. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\+?\d[\d -]{6,}\d/g, (number) => number.replaceAll(/\d/g, "0"));
}

/** Hides capitalized words within a sentence, but for what the gateway's own sentences name. */
function withoutNames(text: string): string {
  return text.replaceAll(/(?<=[^.!?\s]\s+)\p{Lu}[\p{L}'’-]+/gu, (word) => (KNOWN_NAMES.has(word) ? word : REDACTED));
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(["KES", "SMS", "Safaricom", "Airtel", "Telkom", "ID"]);
