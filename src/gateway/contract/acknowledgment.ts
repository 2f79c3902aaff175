import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { Acknowledgment, RefusalBody } from "./shapes.ts";

export function encodeAcknowledgment(requestId: string): string {
  return JSON.stringify({
    status_code: 200,
    description: SUCCESS_DESCRIPTION,
    request_id: requestId,
  } satisfies Acknowledgment);
}

interface RefusalParts {
  readonly code: number;
  readonly description: string;
  readonly requestId: string;
  readonly validationErrors?: RefusalBody["validation_errors"];
}

export function encodeRefusal(
  { code, description, requestId, validationErrors }: RefusalParts,
  form: GatewaySettings["refusals"],
): string {
  if (form.validation === "bare" && validationErrors !== undefined)
    return JSON.stringify({ validation_errors: validationErrors } satisfies RefusalBody);
  return JSON.stringify({
    status_code: code,
    description,
    validation_errors: validationErrors,
    request_id: form.request_id === null ? null : requestId,
  } satisfies RefusalBody);
}
