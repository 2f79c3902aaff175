import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";

/** The synchronous response to airtime and SMS requests (document 2.3). */
export const acknowledgmentShape = z.object({
  status_code: z.literal(200).describe("200: accepted and queued; a callback reports the result."),
  description: z.string(),
  request_id: z.uuid().describe("Matches the later callback to the request."),
});

export function encodeAcknowledgment(requestId: string): string {
  return JSON.stringify({
    status_code: 200,
    description: SUCCESS_DESCRIPTION,
    request_id: requestId,
  } satisfies z.output<typeof acknowledgmentShape>);
}

/** Any response whose status_code is not 200. Nothing is queued and no callback follows, although there is a request_id. */
export const refusalShape = z.object({
  status_code: z.int().describe("Repeats the HTTP status unless `http_status: always_200` is set."),
  description: z.string(),
  validation_errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("With 422: the errors of each field."),
  request_id: z.uuid(),
});

type Refusal = Immutable<z.output<typeof refusalShape>>;

interface RefusalParts {
  readonly code: number;
  readonly description: string;
  readonly requestId: string;
  readonly validationErrors?: Refusal["validation_errors"];
}

export function encodeRefusal({ code, description, requestId, validationErrors }: RefusalParts): string {
  return JSON.stringify({
    status_code: code,
    description,
    validation_errors: validationErrors,
    request_id: requestId,
  } satisfies Refusal);
}
