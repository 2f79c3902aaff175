import { expect, test } from "vitest";
import { maskPhoneNumbers } from "../../../src/gateway/domain/carrier.ts";

test.each([
  ["254712345678", "254712***678"],
  ["+254712345678", "+254712***678"],
  ["0712345678", "0712***678"],
  ["712345678", "712***678"],
  ["254712345678,254712345679 twice", "254712***678,254712***679 twice"],
])("masks %j as %j", (number, masked) => {
  const shown = maskPhoneNumbers(number);

  expect(shown).toBe(masked);
});

test.each(["", "12345678", "254 712 345 678", "1234567890123456", "call me"])(
  "leaves %j, which is no number, as it is",
  (text) => {
    const shown = maskPhoneNumbers(text);

    expect(shown).toBe(text);
  },
);
