import { SUCCESS_DESCRIPTION, type ValidationErrors } from "../domain/refusal.ts";
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
  readonly validationErrors?: ValidationErrors;
}

export function encodeRefusal(
  { code, description, requestId, validationErrors }: RefusalParts,
  form: GatewaySettings["refusals"],
): string {
  return JSON.stringify(
    (validationErrors && invalidBody(code, description, validationErrors, form)) ?? {
      status_code: code,
      description,
      validation_errors: validationErrors,
      request_id: form.request_id === null ? null : requestId,
    },
  );
}

/** Returns a 422 as the live gateway was seen to send it, or as the Java SDK's regression test has it (public-facts.md); undefined in full. */
function invalidBody(
  status_code: number,
  description: string,
  errors: ValidationErrors,
  { validation }: GatewaySettings["refusals"],
): RefusalBody | undefined {
  if (validation === "bare") return { validation_errors: errors };
  if (validation === "nested") return { status_code, description, validation_errors: { ...errors, status_code } };
  return validation === "root" ? { status_code, description, ...errors } : undefined;
}
