import { carrierValue } from "../../document/values.ts";
import { listMatcher } from "./matcher.ts";

export const carrier = listMatcher({
  key: "carrier",
  summary: "The carrier that serves the recipient, including ported numbers: one, or a list.",
  operations: ["airtime", "sms"],
  schema: carrierValue,
  read: ({ subject }) => ("carrier" in subject ? subject.carrier : undefined),
});
