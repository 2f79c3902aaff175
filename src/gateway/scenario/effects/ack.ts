import type { Immutable } from "../../domain/immutable.ts";
import * as z from "zod";
import { delayValue, atLeastOneKey, SKIP_IF_INVALID } from "../../document/values.ts";
import { contentTypeValue, responseHeaders, REQUEST_PLACEHOLDERS, templateValue } from "./template-values.ts";
import { drawScripted, type Effect, refuseContent } from "./effect.ts";

const schema = z.lazy(() =>
  atLeastOneKey(
    z.strictObject({
      delay: delayValue
        .exactOptional()
        .describe("Wall time after acceptance: 5s, or a mapping with one of fixed, uniform or lognormal."),
      status: z
        .int()
        .min(200)
        .max(599)
        .exactOptional()
        .describe("The HTTP status to send instead of 200; 204, 205 and 304 have no body."),
      body: templateValue(REQUEST_PLACEHOLDERS)
        .exactOptional()
        .describe(
          "The body to send instead of the acknowledgment; {{request_id}}, {{phone_number}}, {{amount}} and {{sender_id}} are filled in.",
        ),
      content_type: contentTypeValue.exactOptional().describe("The Content-Type to send instead of application/json."),
      headers: responseHeaders.exactOptional().describe("Additional headers."),
    }),
  ).superRefine(refuseContent, SKIP_IF_INVALID),
);

export const ack = {
  key: "ack",
  summary: "Changes the acknowledgment of an accepted request: when it is sent, its HTTP status, headers and body.",
  schema,
  needsAcceptance: true,
  answer: ({ delay = { fixed: 0 }, ...answered }, context) => {
    const drawn = drawScripted(delay, "ack delay", context);
    return { ack: context.outcome === "accepted" ? { delay: drawn, ...answered } : { delay: drawn } };
  },
} satisfies Effect<"ack", Immutable<z.output<typeof schema>>>;
