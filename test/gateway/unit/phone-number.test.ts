import { expect, test } from "vitest";
import { maskPhoneNumber, parsePhoneNumber } from "../../../src/gateway/domain/carrier.ts";

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
])("masks %j as %j", (number, masked) => {
  const shown = maskPhoneNumber(number);

  expect(shown).toBe(masked);
});

test.each(["", "12345678", "254 712 345 678", "254712345678,254712345679", "254712345678\n", "call me"])(
  "hides %j whole",
  (text) => {
    const shown = maskPhoneNumber(text);

    expect(shown).toBe("***");
  },
);
