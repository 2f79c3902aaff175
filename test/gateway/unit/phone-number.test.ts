import { expect, test } from "vitest";
import { maskPhoneNumbers, parsePhoneNumber } from "../../../src/gateway/domain/carrier.ts";

test.each(["254712345678", "254112345678", "254700000000", "254199999999"])("takes %j in either form", (text) => {
  const read = [parsePhoneNumber(text, "strict"), parsePhoneNumber(text, "lenient")];

  expect(read).toEqual([text, text]);
});

test.each([
  ["+254712345678", "254712345678"],
  ["+254112345678", "254112345678"],
  ["0712345678", "254712345678"],
  ["0112345678", "254112345678"],
])("takes %j only if lenient", (text, normalised) => {
  const read = [parsePhoneNumber(text, "strict"), parsePhoneNumber(text, "lenient")];

  expect(read).toEqual([undefined, normalised]);
});

test.each([
  "",
  "712345678",
  "25471234567",
  "2547123456789",
  "254212345678",
  "254812345678",
  "255712345678",
  "254 712345678",
  " 254712345678",
  "254712345678\n",
  "254-712-345-678",
  "25471234567a",
  "254７12345678",
  "+0712345678",
  "++254712345678",
  "+712345678",
  "00254712345678",
  "0812345678",
  "071234567",
  "07123456789",
  "0712345678\n",
])("refuses %j in either form", (text) => {
  const read = [parsePhoneNumber(text, "strict"), parsePhoneNumber(text, "lenient")];

  expect(read).toEqual([undefined, undefined]);
});

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
