import * as z from "zod";
import type { SmsMeasure } from "../../domain/sms-parts.ts";
import { describeDifference, type Matcher } from "./matcher.ts";

const SPELLINGS = { gsm7: "GSM-7", "GSM-7": "GSM-7", ucs2: "UCS-2", "UCS-2": "UCS-2" } as const;

export const encoding: Matcher<"encoding", SmsMeasure["encoding"]> = {
  key: "encoding",
  summary: "The encoding of the SMS: gsm7 or ucs2.",
  schema: z.enum(["gsm7", "ucs2", "GSM-7", "UCS-2"]).transform((spelling) => SPELLINGS[spelling]),
  operations: ["sms"],
  print: (encoding) => (encoding === "GSM-7" ? "gsm7" : "ucs2"),
  compile:
    (encoding) =>
    ({ subject }) =>
      "measure" in subject && subject.measure?.encoding === encoding,
  difference: (encoding, { subject }) =>
    describeDifference("encoding", "measure" in subject ? subject.measure?.encoding : undefined, encoding),
};
