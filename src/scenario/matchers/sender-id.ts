import { oneOrMore, printOneOrMore, senderIdText } from "../values.ts";
import { describeDifference, describeList, includesAll, type Matcher, orderOf } from "./matcher.ts";

export const senderId: Matcher<"sender_id", readonly string[]> = {
  key: "sender_id",
  summary: "The sender ID of an SMS: one, or a list.",
  schema: oneOrMore(senderIdText),
  operations: ["sms"],
  print: printOneOrMore,
  compile:
    (ids) =>
    ({ subject }) =>
      "order" in subject && subject.order.operation === "sms" && ids.includes(subject.order.senderId),
  difference: (ids, request) => {
    const order = orderOf(request);
    return describeDifference("sender_id", order?.operation === "sms" ? order.senderId : undefined, describeList(ids));
  },
  covers: includesAll,
};
