import * as z from "zod";
import { quote } from "../../document/describe-value.ts";
import { someOf } from "../values.ts";
import { describeDifference, type Matcher, orderOf } from "./matcher.ts";

const schema = z.lazy(() =>
  someOf(
    z.strictObject({
      equals: z.string().min(1).exactOptional().describe("The exact text."),
      contains: z.string().min(1).exactOptional().describe("Part of the text; case-sensitive."),
    }),
  ),
);

export const message: Matcher<"message", z.output<typeof schema>> = {
  key: "message",
  summary: "The SMS text: exact, or containing a string.",
  schema,
  operations: ["sms"],
  compile:
    ({ equals, contains = "" }) =>
    ({ subject }) =>
      "order" in subject &&
      subject.order.operation === "sms" &&
      (equals === undefined || subject.order.message === equals) &&
      subject.order.message.includes(contains),
  difference: ({ equals, contains }, request) => {
    const order = orderOf(request);
    const wanted = [equals !== undefined && quote(equals), contains !== undefined && `containing ${quote(contains)}`];
    const is = order?.operation === "sms" ? quote(order.message) : undefined;
    return describeDifference("message", is, wanted.filter(Boolean).join(" and "));
  },
};
