import * as z from "zod";
import { addProblem, delayValue, SKIP_IF_INVALID } from "../../document/values.ts";
import { hasContent } from "../../domain/refusal.ts";
import type { Immutable } from "../../domain/immutable.ts";
import { contentTypeValue, responseHeaders, REQUEST_PLACEHOLDERS, templateValue } from "./template-values.ts";
import { drawScripted, type Effect, refuseTogether, refuseContent } from "./effect.ts";

const status = z.int().min(200).max(599);

const refusal = z
  .strictObject({
    status: status.describe(
      "The HTTP status: 204, 205 or 300 to 599, or with a body also another 2xx, like the page of a captive portal. For 401, 402, 403, 422, 429 and 500 it is the gateway's status_code, and also the HTTP status unless http_status is always_200 and no body is written.",
    ),
    description: z.string().exactOptional().describe("Replaces the gateway's own description."),
    validation_errors: z
      .record(z.string(), z.array(z.string()).min(1))
      .exactOptional()
      .describe(
        'Messages by field: { phone_number: ["..."] }. Without them, a 422 says that no carrier serves the number of the order.',
      ),
    body: templateValue(REQUEST_PLACEHOLDERS)
      .exactOptional()
      .describe(
        "The raw body to send instead of the envelope; {{request_id}}, {{phone_number}}, {{amount}} and {{sender_id}} are filled in.",
      ),
    content_type: contentTypeValue
      .exactOptional()
      .describe("The Content-Type to send instead of application/json: text/html."),
    headers: responseHeaders
      .exactOptional()
      .describe('Additional headers: { Retry-After: "30" }, { Connection: close }.'),
    delay: delayValue.exactOptional().describe("Wall time before the response."),
  })
  .superRefine((written, context) => {
    const problem = "is never seen, because body replaces the whole response";
    if (written.body !== undefined) refuseTogether(written, ["description", "validation_errors"], problem, context);
    refuseContent(written, context);
    checkBody(written, context);
  }, SKIP_IF_INVALID);

type RefuseEffect = Immutable<z.output<typeof refusal>>;

export const refuse = {
  key: "refuse",
  summary:
    "Refuses the request with a status, or with a complete response: nothing is queued, no money moves, no callback follows.",
  schema: z.union([
    status
      // Alone it has no body; checkBody says what to write instead.
      .meta({ minimum: 204 })
      .transform((status): RefuseEffect => ({ status }))
      .superRefine((written, context) => checkBody(written, context)),
    refusal,
  ]),
  refuse: ({ status, description, validation_errors: validationErrors, body }) => ({
    code: status,
    details: { description, validationErrors },
    body,
  }),
  answer: ({ delay, headers, content_type }, context) => {
    if (delay === undefined && headers === undefined && content_type === undefined) return {};
    const drawn = delay === undefined ? 0 : drawScripted(delay, "refusal delay", context);
    return { ack: { delay: drawn, ...(headers && { headers }), ...(content_type !== undefined && { content_type }) } };
  },
} satisfies Effect<"refuse", RefuseEffect>;

/** A 2xx stands for what a captive portal or a proxy says instead of the gateway. */
function checkBody({ status, body }: RefuseEffect, context: z.RefinementCtx): void {
  if (status >= 300 || !hasContent(status) || body !== undefined) return;
  addProblem(context, {
    problem: `${status} refuses nothing unless its body is not the gateway's`,
    repair: "add content_type: text/html and a body, or write 204 or 300 to 599",
  });
}
