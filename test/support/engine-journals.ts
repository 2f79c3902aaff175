import { systemClock } from "../../src/gateway/adapters/time/system-clock.ts";
import { DAY } from "../../src/gateway/domain/time.ts";
import type { StoredAccount } from "../../src/gateway/engine/account.ts";
import { SANDBOX_JOURNAL } from "../../src/gateway/engine/world.ts";
import { EngineJournalStore } from "../../src/storage/journal/engine-journal-store.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import type { KeptJournals } from "./gateway/cut-history.ts";
import { accountSettings, testWorld } from "./gateway/world.ts";

/** Journals of one account in an engine; `connect` opens it for one process, after the one before has closed it. */
export async function engineJournals(connect: () => Promise<JournalEngine>): Promise<KeptJournals> {
  const first = await joined(connect, "first");
  const opened = [first];
  return {
    store: first.store,
    async next(options, recorded) {
      await first.close();
      const second = await joined(connect, "second");
      opened.push(second);
      return testWorld({ ...options, stored: second.stored, store: recorded(second.store) }).account;
    },
    async close() {
      await opened.at(-1)?.close();
    },
  };
}

interface Joined {
  readonly store: EngineJournalStore;
  readonly stored: readonly StoredAccount[];
  close(): Promise<void>;
}

async function joined(connect: () => Promise<JournalEngine>, id: string): Promise<Joined> {
  const engine = await connect();
  const store = new EngineJournalStore(engine, {
    clock: systemClock(),
    patience: 60_000,
    suspended: () => undefined,
    begin: async () => true,
    onLost: () => {},
    onUnwritable: () => {},
  });
  await engine.join({ id, url: "" }, DAY);
  for (const account of [accountSettings().consumer_key, SANDBOX_JOURNAL]) {
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind !== "granted") throw new Error(`${account} belongs to another process`);
    store.own(acquired.grant, acquired.journal);
  }
  const stored = store.list().map((consumerKey) => ({ consumerKey, journal: store.read(consumerKey, 0) }));
  return {
    store,
    stored,
    async close() {
      await store.close();
      await engine.leave();
      await engine.close();
    },
  };
}
