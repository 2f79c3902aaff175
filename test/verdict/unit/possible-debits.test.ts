import { expect, test } from "vitest";
import { describeDebit } from "../../../src/verdict/orders/possible-debits.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";

test.each([
  [105_00, "debited KES 105.00"],
  [0, "debited KES 0.00"],
  [-105_00, "credited KES 105.00"],
])("a balance that %i cents left is described as %s", (debit, expected) => {
  expect(describeDebit(cents(debit))).toBe(expected);
});
