import type { Instant } from "./time.ts";

/** The `status_code` of a refusal. 200 never refuses. The gateway's public list, and HTTP's own codes for what never reaches it. */
export type RefusalCode = 400 | 401 | 402 | 403 | 404 | 405 | 413 | 415 | 422 | 429 | 500;

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
};

/** Ends a request: nothing is queued, no money moves, no callback follows. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.description ?? DESCRIPTIONS[code]);
    this.code = code;
    this.details = details;
  }
}
