import { expect, test } from "vitest";
import { accountEvent, type AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { checkJournal } from "../../../src/gateway/account/check-journal.ts";
import { queryDetails } from "../../../src/gateway/account/decide/sell.ts";
import { checkpointOf, snapshotOf } from "../../../src/gateway/account/snapshot.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import * as commands from "../../../src/gateway/engine/commands.ts";
import { lastingStore } from "../../support/gateway/restart.ts";
import { limitRequests, rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, callbacksTo, refuseRequest, sendSms, testWorld } from "../../support/gateway/world.ts";

const { urls, ...others } = callbacksTo("http://receiver.test/hook");
const callbacks = { ...others, urls: { ...urls, copy: { url: "http://second.test/hook", trusted: true } } };

test("whatever happens to an account can be exported, imported and checked", async () => {
  const { account } = testWorld({ store: lastingStore(), account: { callbacks, balance: cents(100_000_000) } });
  await live(account);
  const { events } = account.journal.read();
  const snapshot = snapshotOf(checkpointOf(account.state), account.state, {
    later: [],
    count: account.state.transactions.size,
  });

  const exported = throughJson([...events, snapshot]);
  const problems = exported.flatMap((event) => accountEvent.safeParse(event).error?.issues ?? []);

  expect(problems).toEqual([]);
  expect(new Set(exported.map(({ kind }) => kind))).toEqual(
    new Set(accountEvent.options.map(({ shape }) => shape.kind.value)),
  );
  expect(() => checkJournal(exported.slice(0, -1))).not.toThrow();
  expect(() => checkJournal(exported.slice(-1))).not.toThrow();
});

test.each([
  ["no kind of event", { kind: "unheard-of", at: 1 }],
  ["an event without its time", { kind: "topped-up", amount: 5 }],
  ["a fraction of a cent", { kind: "topped-up", at: 1, amount: 0.5 }],
  ["a decision that no carrier makes", { kind: "sender-id-decided", at: 1, id: "one", verdict: "postponed" }],
])("%s is not imported", (_what, event) => {
  expect(accountEvent.safeParse(event).success).toBe(false);
});

test.each(["approved", "rejected"])("the decision %s is imported", (verdict) => {
  expect(accountEvent.safeParse({ kind: "sender-id-decided", at: 1, id: "one", verdict }).success).toBe(true);
});

/** Everything that can happen to an account. */
async function live(account: RunningAccount): Promise<void> {
  const { requestId } = buyAirtime(account, 10);
  sendSms(account, "Habari");
  refuseRequest(account, 422);
  leave(account, "client-left", requestId);
  leave(account, "client-waits", requestId);
  await account.advance({ by: 1_000 }, 1_000);
  commands.resend(account, [requestId]);
  await account.advance({ by: 0 }, 1_000);
  commands.topUp(account, cents(500));
  commands.setCallbacks(account, { ...callbacks, concurrency: 2 });
  commands.rotateSecret(account, "rotated-secret");
  limitRequests(account, 100);
  const [submitted] = commands.registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  commands.decideRegistration(account, { id: submitted?.id ?? "", verdict: "approved" });
  askDetails(account);
  const cutting = rule("when: { operation: account-details }, then: { connection: reset_before_accept }");
  await script(account, `timeline: [{ at: 0s, do: { wallet: { balance: 50 } } }]\n${cutting}`);
  askDetails(account);
  await account.advance({ by: 5_000 }, 1_000);
  await script(account, rule("then: { callback: { times: 2, gap: 1s, reverse: true } }"), "reversal");
  buyAirtime(account, 10);
  await account.advance({ by: 5_000 }, 1_000);
}

function leave(account: RunningAccount, kind: "client-left" | "client-waits", requestId: string): void {
  account.journal.append((_state, at) => [{ kind, at, requestId, waited: 5 }]);
}

function askDetails(account: RunningAccount): void {
  account.journal.append((state, at) => [queryDetails(state, account.moment(at))]);
}

function throughJson(events: readonly AccountEvent[]): AccountEvent[] {
  return JSON.parse(JSON.stringify(events));
}
