import { carrierValue } from "../../document/values.ts";
import { listing } from "./matcher.ts";

export const carrier = listing({
  key: "carrier",
  summary: "The carrier that serves the recipient, including ported numbers: one, or a list.",
  operations: ["airtime", "sms"],
  schema: carrierValue,
  read: ({ subject }) => ("carrier" in subject ? subject.carrier : undefined),
});
