import { type RefusalDetails, SUCCESS_DESCRIPTION } from "../domain/refusal.ts";

/** Written by hand, because all of it but the id is always the same and the id needs no escaping. */
export function encodeAcknowledgment(requestId: string): string {
  return `{"status_code":200,"description":"${SUCCESS_DESCRIPTION}","request_id":"${requestId}"}`;
}

interface RefusalParts {
  readonly code: number;
  readonly description: string;
  readonly requestId: string;
  readonly validationErrors?: RefusalDetails["validationErrors"];
}

export function encodeRefusal({ code, description, requestId, validationErrors }: RefusalParts): string {
  return JSON.stringify({ status_code: code, description, validation_errors: validationErrors, request_id: requestId });
}
