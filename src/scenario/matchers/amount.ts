import { printCents, shillingsValue } from "../values.ts";
import { comparing } from "./matcher.ts";

export const amount = comparing(
  {
    key: "amount",
    summary: "The airtime amount in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
    operations: ["airtime"],
  },
  {
    schema: shillingsValue,
    read: ({ subject }) =>
      "order" in subject && subject.order.operation === "airtime" ? subject.order.amount : undefined,
    describe: printCents,
  },
);
