import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { complain } from "../../document/values.ts";
import type { RefuseEffect } from "../../domain/scenario.ts";
import type { Effect } from "./effect.ts";

/** The codes that the live gateway is known to refuse a well-formed request with (public-facts.md). */
const code = z.lazy(() => z.literal([401, 402, 403, 422, 429, 500]));

const refusal = z.lazy(() =>
  z
    .strictObject({
      code: code.describe("The status_code, and the HTTP status where it is mirrored."),
      description: optionalKey("Instead of the gateway's own sentence.", () => z.string()),
      validation_errors: optionalKey('From field to sentences: { phone_number: ["..."] }.', () =>
        z.record(z.string(), z.array(z.string()).min(1)),
      ),
      body: optionalKey("The whole body, byte for byte, instead of the envelope.", () => z.string()),
    })
    .superRefine((written, context) => {
      const unseen = (["description", "validation_errors"] as const).find((key) => written[key] !== undefined);
      if (written.body !== undefined && unseen !== undefined)
        complain(context, {
          path: [unseen],
          problem: "is never seen beside body, which is the whole answer",
          repair: "keep one of the two",
        });
    })
    .transform(({ validation_errors: validationErrors, ...same }): RefuseEffect => ({
      ...same,
      ...(validationErrors !== undefined && { validationErrors }),
    })),
);

export const refuse: Effect<RefuseEffect> = {
  summary: "Refuses the request with a code, or with a whole body: nothing is queued, no money moves, no callback follows.",
  schema: z.union([code.transform((code): RefuseEffect => ({ code })), refusal]),
  print: ({ code, validationErrors, ...same }) => {
    const rest = { ...same, ...(validationErrors !== undefined && { validation_errors: validationErrors }) };
    return Object.keys(rest).length === 0 ? code : { code, ...rest };
  },
  tell: ({ code, body }) => `refused with ${code}${body === undefined ? "" : " and a scripted body"}`,
};
