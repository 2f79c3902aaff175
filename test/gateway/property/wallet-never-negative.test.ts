import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountState } from "../../../src/gateway/account/state.ts";
import { isPending } from "../../../src/gateway/account/transaction.ts";
import type { GatewaySettings } from "../../../src/gateway/settings/gateway.ts";
import { available } from "../../../src/gateway/domain/kes.ts";
import { answerFickly, anyStep, retrying, take } from "../../support/gateway/steps.ts";
import { testWorld, type TestWorld } from "../../support/gateway/world.ts";

const gateways = fc.record({
  insufficient_funds: fc.constantFrom<GatewaySettings["insufficient_funds"]>("refuse", "fail_by_callback"),
  chargeFailedSms: fc.boolean(),
});

test("after every single event the wallet can pay its holds, which are those of the queued transactions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: "max" }), gateways, async (steps, gateway) => {
      const { account, faults } = watchedWorld(gateway);

      for (const step of steps) await take(account, step);

      expect(faults).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("the same holds when many steps run at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyStep, { maxLength: 8, size: "max" }), { maxLength: 6, size: "max" }),
      gateways,
      async (crowds, gateway) => {
        const { account, faults } = watchedWorld(gateway);

        for (const crowd of crowds) await Promise.all(crowd.map((step) => take(account, step)));

        expect(faults).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});

test("what a callback reports adds up: each charge and each balance after it are what the wallet did", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: "max" }), gateways, async (steps, gateway) => {
      const { account } = watchedWorld(gateway);
      const wrong: unknown[] = [];
      let before = account.state.wallet;
      account.journal.observe((event, _number, { wallet }) => {
        const isRight =
          event.kind !== "settled" ||
          (before.balance - event.charge === wallet.balance && event.available === available(wallet));
        if (!isRight) wrong.push({ event, before, wallet });
        before = wallet;
      });

      for (const step of steps) await take(account, step);

      expect(wrong).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

/** A small wallet, so that it runs out; whatever does not hold after an event is among the faults. */
function watchedWorld(gateway: Partial<GatewaySettings>): TestWorld {
  const sandbox = testWorld({ gateway, answer: answerFickly, account: { callbacks: retrying(3) } });
  sandbox.account.journal.observe((event, number, state) =>
    sandbox.faults.push(...faultsOf(state).map((fault) => ({ fault, number, event }))),
  );
  return sandbox;
}

function faultsOf({ wallet, transactions, pending }: AccountState): string[] {
  const all = [...transactions.values()];
  const held = all.reduce((sum, { accepted, progress }) => sum + (progress.state === "queued" ? accepted.hold : 0), 0);
  const open = all.filter((transaction) => isPending(transaction)).length;
  return [
    ...(available(wallet) < 0 ? [`${available(wallet)} can be spent`] : []),
    ...(held === wallet.held ? [] : [`${wallet.held} is held, ${held} by queued transactions`]),
    ...(open === pending ? [] : [`${pending} are said to be pending, and ${open} are`]),
  ];
}
