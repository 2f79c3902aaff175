import * as z from "zod";
import { CHECKS } from "../../doctor/check.ts";
import { diagnose } from "../../doctor/diagnose.ts";
import type { Observed } from "../../doctor/examine.ts";

export const diagnosisShape = z.object({
  url: z.string(),
  operation: z.enum(["airtime", "sms"]),
  conclusion: z.enum(["well", "failed", "unreached"]).describe("unreached: nothing takes connections where the URL leads."),
  acknowledged: z.boolean().describe("The sample got 200 within the limit, from whoever answered."),
  container: z.string().nullable().describe("The container that the callback was sent from; null outside of any."),
  sent: z.string().nullable().describe("The text that was sent; null where the way ended before."),
  millis: z.number().nullable().describe("Wall time from the beginning to the answer; null where nothing was sent."),
  checks: z.array(
    z.object({
      check: z.enum(CHECKS),
      verdict: z.enum(["well", "doubtful", "failed", "skipped"]).describe("skipped: not come to, or not asked here."),
      seen: z.string(),
      repair: z.string().optional(),
    }),
  ),
});

export type DiagnosisJson = z.output<typeof diagnosisShape>;

/** What an examination came to, with the sample that it sent. */
export function diagnosisJson(observed: Observed, { operation, body }: { operation: "airtime" | "sms"; body: string }): DiagnosisJson {
  const { target, surroundings, delivered } = observed;
  const { conclusion, acknowledged, checks } = diagnose(observed);
  return {
    url: target.url,
    operation,
    conclusion,
    acknowledged,
    container: surroundings.container ?? null,
    sent: delivered === undefined ? null : body,
    millis: delivered?.millis ?? null,
    checks: checks.map((check) => ({ ...check })),
  };
}
