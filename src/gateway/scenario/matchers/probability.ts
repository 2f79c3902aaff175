import * as z from "zod";
import type { Matcher } from "./matcher.ts";

export const probability = {
  key: "probability",
  summary: "The share of requests to match, 0 to 1. The seed decides which ones.",
  schema: z.number().min(0).max(1),
  compile: (share, label) => {
    const purpose = `${label} probability`;
    return ({ draws }) => draws.draw(purpose) < share;
  },
  difference: (share) => `the draw was not among the ${share} that the rule takes`,
} satisfies Matcher<"probability", number>;
