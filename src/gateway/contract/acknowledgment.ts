import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** The synchronous response to airtime and SMS requests (document 2.3). */
export const acknowledgmentShape = z.object({
  status_code: z.literal(200).describe("200: accepted and queued; a callback reports the result."),
  description: z.string(),
  request_id: z
    .string()
    .describe("Matches the later callback to the request: a UUID, or 40 characters with `request_id: padded`."),
});

export function encodeAcknowledgment(requestId: string): string {
  return JSON.stringify({
    status_code: 200,
    description: SUCCESS_DESCRIPTION,
    request_id: requestId,
  } satisfies z.output<typeof acknowledgmentShape>);
}

/**
 * Any response whose status_code is not 200. Nothing is queued and no callback follows, although there may be a request_id. With
 * `refusals.validation: bare`, a 422 has its errors alone.
 */
export const refusalShape = z.object({
  status_code: z.int().optional().describe("Repeats the HTTP status unless `http_status: always_200` is set."),
  description: z.string().optional(),
  validation_errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("With 422: the errors of each field."),
  request_id: z.string().nullish().describe("Null with `refusals.request_id: null`."),
});

type Refusal = Immutable<z.output<typeof refusalShape>>;

interface RefusalParts {
  readonly code: number;
  readonly description: string;
  readonly requestId: string;
  readonly validationErrors?: Refusal["validation_errors"];
}

export function encodeRefusal(
  { code, description, requestId, validationErrors }: RefusalParts,
  form: GatewaySettings["refusals"],
): string {
  if (form.validation === "bare" && validationErrors !== undefined)
    return JSON.stringify({ validation_errors: validationErrors } satisfies Refusal);
  return JSON.stringify({
    status_code: code,
    description,
    validation_errors: validationErrors,
    request_id: form.request_id === null ? null : requestId,
  } satisfies Refusal);
}
