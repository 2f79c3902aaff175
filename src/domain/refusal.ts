import { type Instant, SECOND } from "./time.ts";

/** The `status_code` of a refusal: the gateway's public list, HTTP's own codes, or whatever a scenario says from 300 to 599. */
export type RefusalCode = number;

/** From field name to what is wrong with it, as the live gateway words its 422. */
export type ValidationErrors = Readonly<Record<string, readonly string[]>>;

export interface RefusalDetails {
  readonly description?: string;
  readonly validationErrors?: ValidationErrors;
  /** Response headers that belong to the refusal, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
  /** One sentence for the integrator, shown in the log and in a header, never in the body. */
  readonly hint?: string;
  /** When a request would be taken again, on the account's clock. */
  readonly retryAt?: Instant;
}

/**
 * `Operation successful.`, `Insufficient funds.` and `Validation failed.` are the live gateway's words (public-facts.md);
 * the other sentences are guesses.
 */
export const SUCCESS_DESCRIPTION = "Operation successful.";
const DESCRIPTIONS: Readonly<Record<RefusalCode, string>> = {
  400: "Malformed JSON.",
  401: "Unauthorized.",
  402: "Insufficient funds.",
  403: "Access denied.",
  404: "Not found.",
  405: "Method not allowed.",
  413: "Request body too large.",
  415: "Unsupported media type.",
  422: "Validation failed.",
  429: "Too many requests.",
  500: "Internal server error.",
  502: "Bad gateway.",
  503: "Service unavailable.",
  504: "Gateway timeout.",
};

/** What a 401 asks for (RFC 9110, section 15.5.2). The gateway's document shows no headers; the realm is ours. */
export const CHALLENGE = { "www-authenticate": 'Basic realm="gateway", charset="UTF-8"' } as const;

/** What a 429 says about the next try: whole seconds, at least one, in Retry-After (RFC 9110, section 10.2.3). */
export function retryLater(retryAt: Instant, at: Instant): Pick<RefusalDetails, "headers" | "retryAt"> {
  return { headers: { "retry-after": String(Math.max(1, Math.ceil((retryAt - at) / SECOND))) }, retryAt };
}

/** Codes that the gateway itself answers; any other comes from a proxy before it, whose HTTP status is never 200. */
const OWN_CODES: ReadonlySet<RefusalCode> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422, 429, 500]);

export function isOfGateway(code: RefusalCode): boolean {
  return OWN_CODES.has(code);
}

/** Ends a request: nothing is queued, no money moves, no callback follows. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.description ?? DESCRIPTIONS[code] ?? `Refused with ${code}.`);
    this.code = code;
    this.details = details;
  }
}
