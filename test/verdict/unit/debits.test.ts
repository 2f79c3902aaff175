import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { debitOf } from "../../../src/verdict/orders/judge-money.ts";

const [BEFORE, AFTER] = [{ value: cents(50_000) }, { value: cents(40_500) }];
const UNREAD = { missing: "its path names nothing" };
const NOT_ASKED = { unasked: "it goes on from the trial before" };

test.each([
  ["both balances", BEFORE, AFTER, { value: 9_500 }],
  ["no balance before", undefined, AFTER, NOT_ASKED],
  ["no balance after", BEFORE, undefined, NOT_ASKED],
  ["an unreadable balance before", UNREAD, AFTER, UNREAD],
  ["an unreadable balance after", BEFORE, UNREAD, UNREAD],
])("a debit from %s", (_what, before, after, debit) => {
  expect(debitOf(before, after)).toEqual(debit);
});
