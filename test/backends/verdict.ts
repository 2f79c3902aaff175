import * as z from "zod";
import type { Heard } from "./gateway-line.ts";

/** Nothing was queued, and the same order may go through later. */
export interface RefusedForNow {
  readonly kind: "refused for now";
  readonly reason: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** What an acknowledgment, or none, says about an order. */
export type Verdict =
  | { readonly kind: "accepted"; readonly requestId: string }
  | { readonly kind: "refused"; readonly reason: string }
  | RefusedForNow
  | { readonly kind: "halt"; readonly why: "no money" | "wrong credentials" }
  | { readonly kind: "unknown"; readonly why: string };

/** Section 2.3 of the gateway's document, and a refusal without request_id or with its errors alone, as the live gateway sends it. */
const answerForm = z.union([
  z.object({ status_code: z.number(), description: z.string(), request_id: z.string().nullable() }),
  z
    .object({ validation_errors: z.looseObject({}) })
    .transform(() => ({ status_code: 422, description: "Validation failed.", request_id: null })),
]);

/** Only a status_code of 200 is an acceptance; only an answer in the gateway's own form is a refusal; all else is unknown. */
export function judge(heard: Heard): Verdict {
  if (heard.kind === "silence") return { kind: "unknown", why: heard.why };
  const read = answerForm.safeParse(heard.json);
  if (!read.success) return { kind: "unknown", why: `HTTP ${heard.status} without a readable acknowledgment` };
  const { status_code: code, description, request_id: requestId } = read.data;
  if (code === 200 && requestId !== null) return { kind: "accepted", requestId };
  if (code === 401 || code === 403) return { kind: "halt", why: "wrong credentials" };
  if (code === 402) return { kind: "halt", why: "no money" };
  const reason = `${code} ${description}`;
  if (code === 429 || code >= 500) return { kind: "refused for now", reason, retryAfter: heard.retryAfter };
  return { kind: "refused", reason };
}
