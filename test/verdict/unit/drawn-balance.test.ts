import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { LARGEST_KES, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { balanceIn, drawBalance } from "../../../src/verdict/report/balance.ts";
import { accepted, opened, settled, toppedUp } from "../../support/finding-events.ts";
import { accountSettings } from "../../support/gateway/world.ts";

test("draws the balance from its first amount to its last, with the lowest block for the lowest alone", () => {
  const orders = Array.from({ length: 6 }, (_, at) => [accepted(`${at}`, at), settled(`${at}`, at + 0.5)]).flat();

  expect(draw([opened(), ...orders, toppedUp(20, 150)])).toEqual([
    "Balance 10,000.00 █▇▇▆▆▅▅▄▄▃▃▁▁▅ 9,850.00, lowest 9,700.00",
  ]);
});

test("what a charge releases and takes at once is no peak", () => {
  const events = [opened(), accepted("one", 0), settled("one", 1)];

  expect(balanceIn({ first: 1, events })).toEqual({
    first: 10_000,
    last: 9_950,
    lowest: 9_950,
    levels: [10_000, 9_950, 9_950],
  });
});

test("a balance that never moved is not drawn", () => {
  expect(balanceIn({ first: 1, events: [opened()] })).toBeUndefined();
});

test("the largest amounts fit into one line", () => {
  const settings = accountSettings({ balance: LARGEST_KES });

  const [line = ""] = draw([{ ...opened(), settings }, accepted("one", 0), settled("one", 1)]);

  expect(line).toBe("Balance 9,999,999,999,999.99 ▁ 9,999,999,999,949.99, lowest 9,999,999,999,949.99");
  expect(Array.from(line)).toHaveLength(80);
});

test("of 10,000 orders, a line keeps the lowest moment", () => {
  const orders = Array.from({ length: 10_000 }, (_, at) => [
    accepted(`${at}`, at),
    settled(`${at}`, at + 0.5),
    toppedUp(at + 0.6, 50),
  ]).flat();
  const emptied: AccountEvent = { kind: "wallet-set", at: opened().at, available: NO_MONEY };

  const [line = ""] = draw([
    opened(),
    ...orders.slice(0, 15_000),
    emptied,
    toppedUp(0, 10_000),
    ...orders.slice(15_000),
  ]);

  expect(line).toMatch(/^Balance 10,000\.00 █+▁█+ 10,000\.00, lowest 0\.00$/);
  expect(Array.from(line)).toHaveLength(80);
});

function draw(events: readonly AccountEvent[]): string[] {
  const balance = balanceIn({ first: 1, events });
  return balance === undefined ? [] : [drawBalance(balance, (_color, text) => text)];
}
