import * as z from "zod";
import { comparing } from "./matcher.ts";

export const parts = comparing({
  key: "parts",
  summary: "The number of parts of the SMS: a number, or a mapping of eq, gt, gte, lt and lte.",
  operations: ["sms"],
  schema: z.int().min(0).max(255),
  read: ({ subject }) => ("measure" in subject ? subject.measure?.parts : undefined),
  describe: String,
});
