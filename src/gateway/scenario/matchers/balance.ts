import { centsAsShillings, shillingsValue } from "../../document/values.ts";
import { comparisonMatcher } from "./matcher.ts";

export const balance = comparisonMatcher({
  key: "balance",
  summary: "The available balance before the request, in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  schema: shillingsValue,
  read: ({ available }) => available,
  describe: centsAsShillings,
});
