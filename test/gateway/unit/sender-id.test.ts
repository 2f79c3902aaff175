import { expect, test } from "vitest";
import { isSenderId, senderIdProblem } from "../../../src/gateway/domain/sender-id.ts";

test.each([
  "20254",
  "202540",
  "SANDBOX",
  "sandbox",
  "A",
  "Mfano Ltd",
  "A&B_C-D.E",
  "24-7 Duka",
  "ABCDEFGHIJK",
  "1Mfano",
])("takes %j as a sender ID", (text) => {
  const accepted = isSenderId(text);

  expect(accepted).toBe(true);
});

test.each([
  ["", "empty"],
  ["2025", "5 or 6 digits"],
  ["2025401", "5 or 6 digits"],
  ["+20254", "only the letters"],
  ["Café", "only the letters"],
  ["Mfano\n", "only the letters"],
  ["20254\n", "only the letters"],
  ["Mfano 😀", "only the letters"],
  ["ABCDEFGHIJKL", "at most 11 characters"],
  [" Mfano", "begins nor ends with a space"],
  ["Mfano ", "begins nor ends with a space"],
  ["202-54", "at least one letter"],
])("says what is wrong with %j", (text, reason) => {
  const problem = senderIdProblem(text);

  expect(problem).toContain(reason);
});
