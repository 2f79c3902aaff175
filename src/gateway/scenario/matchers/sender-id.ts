import { NUMBER_OR_TEXT, senderIdValue } from "../../document/values.ts";
import { listMatcher, orderOf } from "./matcher.ts";

export const senderId = listMatcher({
  key: "sender_id",
  summary: "The sender ID of an SMS: one, or a list.",
  operations: ["sms"],
  schema: senderIdValue.meta(NUMBER_OR_TEXT),
  read: (request) => {
    const order = orderOf(request);
    return order?.operation === "sms" ? order.senderId : undefined;
  },
});
