/** The ids of a trace, for logs. */
export interface TraceIds {
  readonly traceId: string;
  /** The caller's span: the sandbox creates no spans of its own. */
  readonly spanId: string;
}

/**
 * Version, trace id, parent id and flags in lower-case hexadecimal, and anything a later version appends (W3C Trace Context, section 3.2).
 */
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Returns the client's traceparent as it would be sent on; undefined if the header must be ignored. */
export function readTraceparent(header: string): string | undefined {
  const [whole, version, traceId, spanId, flags = "", rest] = FORM.exec(header) ?? [];
  if (whole === undefined) return undefined;
  if (version === "00") return rest === undefined ? whole : undefined;
  // Of a later version, only the fields of this version are known: of the flags, only "sampled" (section 3.2.4).
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`;
}

/** Splits a traceparent returned by `readTraceparent`. */
export function traceIds(traceparent: string): TraceIds {
  const [, traceId = "", spanId = ""] = traceparent.split("-");
  return { traceId, spanId };
}
