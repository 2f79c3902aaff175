import { senderIdText } from "../values.ts";
import { listing } from "./matcher.ts";

export const senderId = listing(
  { key: "sender_id", summary: "The sender ID of an SMS: one, or a list.", operations: ["sms"] },
  {
    schema: senderIdText,
    read: ({ subject }) =>
      "order" in subject && subject.order.operation === "sms" ? subject.order.senderId : undefined,
  },
);
