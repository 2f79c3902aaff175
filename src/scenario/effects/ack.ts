import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { complain, delayValue } from "../../document/values.ts";
import type { AckEffect } from "../../domain/scenario.ts";
import { printDelay, sayDelay } from "../say-values.ts";
import { someOf } from "../values.ts";
import type { Effect } from "./effect.ts";

/** Answers that carry no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const WITHOUT_CONTENT = [204, 205, 304];

const status = z.lazy(() =>
  z
    .int()
    .min(200)
    .max(599)
    .superRefine((status, context) => {
      if (WITHOUT_CONTENT.includes(status))
        complain(context, { problem: `${status} carries no body, so no acknowledgment`, repair: "choose another status" });
    }),
);

export const ack: Effect<AckEffect> = {
  summary: "Changes the acknowledgment of an accepted request: when it is sent, its HTTP status, its body.",
  schema: someOf(
    z.strictObject({
      delay: optionalKey("Wall time after acceptance: 5s, or a mapping with one of fixed, uniform and lognormal.", () => delayValue),
      status: optionalKey("The HTTP status that is sent instead of 200.", () => status),
      body: optionalKey("The body, byte for byte, instead of the acknowledgment.", () => z.string()),
    }),
  ),
  print: ({ delay, ...same }) => ({ ...(delay && { delay: printDelay(delay) }), ...same }),
  tell: ({ delay, status, body }) => {
    const changes = [
      delay && `after ${sayDelay(delay)}`,
      status !== undefined && `with ${status}`,
      body !== undefined && "with a scripted body",
    ];
    return `acknowledged ${changes.filter(Boolean).join(", ")}`;
  },
};
