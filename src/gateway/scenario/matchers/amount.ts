import { centsAsShillings, shillingsValue } from "../../document/values.ts";
import { comparisonMatcher, orderOf } from "./matcher.ts";

export const amount = comparisonMatcher({
  key: "amount",
  summary: "The airtime amount in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  operations: ["airtime"],
  schema: shillingsValue,
  read: (request) => {
    const order = orderOf(request);
    return order?.operation === "airtime" ? order.amount : undefined;
  },
  describe: centsAsShillings,
});
