import type { RequestRow } from "../../../account/readings/requests.ts";

/** What a refused client got as its body: the scenario's own, or the gateway's envelope (public facts, 7.6). */
export function envelopeOf({ answer, statusCode, description, validationErrors, requestId }: RequestRow): string {
  if (answer !== undefined) return answer;
  return JSON.stringify({ status_code: statusCode, description, validation_errors: validationErrors, request_id: requestId }, undefined, 2);
}
