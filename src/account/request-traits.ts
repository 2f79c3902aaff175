import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { readTraceparent } from "../domain/traceparent.ts";

/** How a request came, where that says something about its client; what is ordinary is left out. */
export const requestTraits = z.object({
  /** Wall time, where the account's clock does not follow it: a client's own timers do. */
  wallAt: z.number().exactOptional(),
  /** It was the first on its connection. */
  isFirstOnConnection: z.literal(true).exactOptional(),
  /** Query parameters that carry a secret in the URL, which every proxy logs. */
  exposed: z.array(z.string()).exactOptional(),
  /** Fields in a form that only a lenient setting takes, such as an amount as a JSON number. */
  loose: z.array(z.string()).exactOptional(),
  /** Where the request stands in its client's trace (W3C Trace Context). It may become a header of a callback. */
  traceparent: z.custom<string>((value) => typeof value === "string" && readTraceparent(value) === value).exactOptional(),
});

export type RequestTraits = Immutable<z.output<typeof requestTraits>>;
