/** The ids of a trace, for logs. */
export interface TraceIds {
  readonly traceId: string;
  /** The caller's span: the sandbox makes none of its own. */
  readonly spanId: string;
}

/** Version, trace id, parent id and flags in lower-case hexadecimals, and what a later version adds (W3C Trace Context, section 3.2). */
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Where a client's request stands in a trace, as it would be sent on; undefined where the header is none, or one to be ignored. */
export function readTraceparent(header: string | undefined): string | undefined {
  const [whole, version, traceId, spanId, flags = "", rest] = FORM.exec(header ?? "") ?? [];
  if (whole === undefined) return undefined;
  if (version === "00") return rest === undefined ? whole : undefined;
  // Of a later version only what this one has is known: of the flags, whether it is sampled (section 3.2.4).
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`;
}

/** The ids in what `readTraceparent` gave. */
export function traceIds(traceparent: string): TraceIds {
  const [, traceId = "", spanId = ""] = traceparent.split("-");
  return { traceId, spanId };
}
