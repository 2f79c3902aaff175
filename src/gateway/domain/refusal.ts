import { type Instant, SECOND } from "./time.ts";

/** The `status_code` of a refusal: a code from the gateway's public list, one of HTTP's own, or any scripted code from 200 to 599. */
export type RefusalCode = number;

/** Error messages by field name, in the shape of the live gateway's 422. */
export type ValidationErrors = Readonly<Record<string, readonly string[]>>;

export interface RefusalDetails {
  readonly description?: string;
  readonly validationErrors?: ValidationErrors;
  /** Response headers specific to the refusal, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
  /** One sentence for the integrator, shown in the log and in a header but never in the body. */
  readonly hint?: string;
  /** When the request would be accepted, on the account's clock. */
  readonly retryAt?: Instant;
}

/**
 * `Operation successful.`, `Insufficient funds.` and `Validation failed.` are the live gateway's wording (public-facts.md); the others are
 * guesses.
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
  417: "Expectation Failed.",
  422: "Validation failed.",
  429: "Too many requests.",
  431: "Request Header Fields Too Large.",
  500: "Internal server error.",
  502: "Bad gateway.",
  503: "Service unavailable.",
  504: "Gateway timeout.",
};

export function descriptionOf(code: RefusalCode): string {
  return DESCRIPTIONS[code] ?? `Refused with ${code}.`;
}

/** The challenge of a 401 (RFC 9110, section 15.5.2). The gateway's document shows no headers; the realm is our choice. */
export const CHALLENGE = { "www-authenticate": 'Basic realm="gateway", charset="UTF-8"' } as const;

/** Returns the Retry-After header of a 429: whole seconds, at least one (RFC 9110, section 10.2.3). */
export function retryLater(retryAt: Instant, at: Instant): Pick<RefusalDetails, "headers" | "retryAt"> {
  return { headers: { "retry-after": String(Math.max(1, Math.ceil((retryAt - at) / SECOND))) }, retryAt };
}

/** Codes that the gateway itself returns. Any other comes from a proxy in front of it, whose HTTP status is never 200. */
const OWN_CODES: ReadonlySet<RefusalCode> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 417, 422, 429, 431, 500]);

export function isOfGateway(code: RefusalCode): boolean {
  return OWN_CODES.has(code);
}

/** Returns whether responses with this status have a body (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
export function hasContent(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

/** Ends a request with a refusal: nothing is queued, no money moves, no callback follows. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.description ?? descriptionOf(code));
    this.code = code;
    this.details = details;
  }
}
