import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { moment } from "../domain/schemas.ts";
import { readTraceparent } from "../domain/traceparent.ts";

/** Details of a request that say something about its client. Ordinary values are omitted. */
export const requestTraits = z.object({
  /** Wall time, if the account's clock does not follow it. Client timers do. */
  wallAt: moment.exactOptional(),
  /** Whether it was the first request on its connection. */
  isFirstOnConnection: z.literal(true).exactOptional(),
  /** Whether one of Kredo's own commands, or its page, sent it. */
  isOfKredo: z.literal(true).exactOptional(),
  /** Query parameters that expose a secret in the URL, which every proxy logs. */
  exposed: z.array(z.string()).exactOptional(),
  /** What was in a form that differs from the document's: fields that only a lenient setting accepts, and "charset" for one other than UTF-8. */
  lenient: z.array(z.string()).exactOptional(),
  /** The client's trace context (W3C Trace Context). May be sent on as a callback header. */
  traceparent: z
    .custom<string>((value) => typeof value === "string" && readTraceparent(value) === value)
    .exactOptional(),
});

export type RequestTraits = Immutable<z.output<typeof requestTraits>>;
