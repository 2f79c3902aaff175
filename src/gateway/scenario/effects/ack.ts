import type { Immutable } from "../../domain/immutable.ts";
import * as z from "zod";
import { complain, delayValue } from "../../document/values.ts";
import { contentTypeValue, headersValue, REQUEST_PLACEHOLDERS, templateValue } from "../template-values.ts";
import { someOf } from "../values.ts";
import { drawScripted, type Effect } from "./effect.ts";

/** Responses without content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const WITHOUT_CONTENT = [204, 205, 304];

const status = z
  .int()
  .min(200)
  .max(599)
  .superRefine((status, context) => {
    if (WITHOUT_CONTENT.includes(status))
      complain(context, {
        problem: `${status} has no body, so it cannot acknowledge`,
        repair: "choose another status",
      });
  });

const schema = z.lazy(() =>
  someOf(
    z.strictObject({
      delay: delayValue
        .exactOptional()
        .describe("Wall time after acceptance: 5s, or a mapping with one of fixed, uniform or lognormal."),
      status: status.exactOptional().describe("The HTTP status to send instead of 200."),
      body: templateValue(REQUEST_PLACEHOLDERS)
        .exactOptional()
        .describe(
          "The body to send instead of the acknowledgment; {{request_id}}, {{phone_number}}, {{amount}} and {{sender_id}} are filled in.",
        ),
      content_type: contentTypeValue.exactOptional().describe("The Content-Type to send instead of application/json."),
      headers: headersValue.exactOptional().describe("Additional headers."),
    }),
  ),
);

export const ack: Effect<"ack", Immutable<z.output<typeof schema>>> = {
  key: "ack",
  summary: "Changes the acknowledgment of an accepted request: when it is sent, its HTTP status, headers and body.",
  schema,
  needsAcceptance: true,
  answer: ({ delay = { fixed: 0 }, ...answered }, context) => {
    const drawn = drawScripted(delay, "ack delay", context);
    return { ack: context.outcome === "accepted" ? { delay: drawn, ...answered } : { delay: drawn } };
  },
};
