import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { JournalIndex } from "../../../src/gateway/account/readings/journal-index.ts";
import { readRequests } from "../../../src/gateway/account/readings/requests.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import { testControl } from "../../support/control.ts";
import { buyAirtime, refuseRequest, sendSms } from "../../support/gateway/world.ts";

/** A store that notes how many events each reading of a journal visited. */
function countingStore(): { store: JournalStore; visited: number[] } {
  const visited: number[] = [];
  const memory = memoryJournalStore();
  const read: JournalStore["read"] = (account, after) => {
    const kept = memory.read(account, after);
    visited.push(kept.events.length);
    return kept;
  };
  return { store: { ...memory, read }, visited };
}

test.each(["/requests?limit=1", "/ledger?limit=1", "/messages?limit=1"])(
  "visits only what was added since the last GET %s",
  async (path) => {
    const { store, visited } = countingStore();
    const { call, account } = testControl({ store });
    Array.from({ length: 200 }, () => buyAirtime(account, 5));
    await call("GET", `/accounts/default${path}`);
    buyAirtime(account, 5);
    visited.length = 0;

    await call("GET", `/accounts/default${path}`);

    expect(visited.filter((count) => count > 0)).toEqual([1]);
  },
);

test("finds one transaction among many without visiting the others again", async () => {
  const { store, visited } = countingStore();
  const { call, account } = testControl({ store });
  const [, second] = Array.from({ length: 200 }, () => buyAirtime(account, 5));
  await account.advance({ by: 1_000 }, 1_000);
  await call("GET", "/accounts/default/requests");
  visited.length = 0;

  const { body } = await call("GET", `/accounts/default/transactions/${second?.requestId}`);

  expect(body.timeline.map(({ event }: { event: string }) => event)).toEqual(["accepted", "settled"]);
  expect(body.ledger.map(({ kind }: { kind: string }) => kind)).toEqual(["hold", "release", "charge"]);
  expect(visited).toEqual([0]);
});

test("an index says what a fold of the whole journal says, even after events were evicted", async () => {
  const { account } = testControl({ bounds: { max_transactions: 10 } });
  const trade = async (): Promise<void> => {
    sendSms(account, "Habari");
    Array.from({ length: 150 }, () => buyAirtime(account, 5));
    refuseRequest(account, 402);
    await account.advance({ by: 1_000 }, 1_000);
  };
  await trade();
  const early = account.journal.index;
  await trade();
  sendSms(account, "Kwaheri");
  await account.advance({ by: 1_000 }, 1_000);

  const { requests, ledger, messages } = account.journal.index;

  expect(account.journal.evicted).toBeGreaterThan(0);
  expect(account.journal.index).not.toBe(early);
  expect(requests).toEqual(readRequests(account.journal.read()));
  expect(ledger).toEqual(readLedger(account.journal.read()));
  const read = new JournalIndex();
  read.take(account.journal.read());
  expect(messages).toEqual(read.messages);
});
