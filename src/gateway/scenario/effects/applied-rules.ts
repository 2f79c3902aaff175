import * as z from "zod";
import type { Immutable } from "../../domain/immutable.ts";
import type { Kes } from "../../domain/kes.ts";
import { LONGEST_DURATION } from "../../domain/time.ts";
import { contentTypeValue, responseHeaders } from "./template-values.ts";

export const BREAKAGES = ["reset", "empty", "hang", "truncate", "garbage", "drip"] as const;
export type Breakage = (typeof BREAKAGES)[number];

const scriptedAck = z.object({
  /** Wall time. */
  delay: z.number().min(0).max(LONGEST_DURATION),
  status: z.int().min(200).max(599).exactOptional(),
  body: z.string().exactOptional(),
  content_type: contentTypeValue.exactOptional(),
  headers: responseHeaders.exactOptional(),
});

/** What scenario rules did to a request, as recorded in its event. */
export const appliedRules = z.object({
  fired: z.array(z.object({ scenario: z.string(), rule: z.string() })),
  /** Counters incremented by the request. */
  counters: z.array(z.string()),
  ack: scriptedAck.exactOptional(),
  /** The available balance that the request leaves. */
  wallet: z.custom<Kes>((value) => Number.isSafeInteger(value) && Number(value) >= 0).exactOptional(),
  /** How the connection is broken. */
  breakage: z.enum(BREAKAGES).exactOptional(),
  /** The nearest rule that did not fire, where one had to do with the request at all. */
  missed: z
    .object({ scenario: z.string(), rule: z.string(), matcher: z.string(), difference: z.string() })
    .exactOptional(),
});

export type AppliedRules = Immutable<z.output<typeof appliedRules>>;
