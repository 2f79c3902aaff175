import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { EngineJournalStore } from "../journal/engine-journal-store.ts";
import { DatabaseAnswers } from "./database-answers.ts";
import { engineClock } from "./engine-clock.ts";
import type { Listening } from "../../gateway/adapters/server/node-server.ts";
import { systemClock } from "../../gateway/adapters/time/system-clock.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import { resumeJournal } from "../../gateway/engine/journal-start.ts";
import { type AskIdentity, expectOwnAddress } from "./own-address.ts";
import { Membership } from "./membership.ts";
import { askIdentity } from "./replica-client.ts";
import { SANDBOX_JOURNAL, type World } from "../../gateway/engine/world.ts";
import type { Sharing } from "../../gateway/open-gateway.ts";
import type { AccountOwnership } from "../journal/account-ownership.ts";
import type { Grant, JournalEngine } from "../journal/journal-engine.ts";
import type { JournalStore, StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import type { AccountJournal } from "../journal/journals.ts";

export interface ReplicaOptions {
  readonly engine: JournalEngine;
  /** How long the other replicas wait before they take over from one that does not respond. */
  readonly lease: Millis;
  /** How long a request waits while PostgreSQL is unavailable. */
  readonly patience: Millis;
  /** Where the other replicas reach this one. Defaults to its listening address. */
  readonly url?: string;
  /** Called with a line of text for whoever runs this replica. */
  readonly log: (line: string) => void;
  /** Journals to import, skipping keys that already have an account. */
  readonly imports?: readonly AccountJournal[];
  /** Asks who answers at a URL. Defaults to a request. */
  readonly ask?: AskIdentity;
  /** A monotonic clock. Defaults to the machine's. */
  readonly counter?: WallClock;
}

/** One of several processes that act as one sandbox: the store and the clock of its accounts, and which of them it has. */
export interface RunningReplica extends Sharing {
  readonly store: JournalStore;
  readonly wall: WallClock;
  /** Known once it is connected. */
  readonly ownership: AccountOwnership;
  /** Hands all accounts over to the other replicas. */
  leave(): Promise<void>;
}

export function prepareReplica(options: ReplicaOptions): RunningReplica {
  const { lease, patience, log, counter = systemClock({ read: () => performance.now() }) } = options;
  const answers = new DatabaseAnswers(counter, patience);
  const engine = answers.limit(options.engine);
  const clock = engineClock(counter);
  let joined: { readonly membership: Membership; readonly world: World } | undefined;
  const suspended = (): StoreOutage | undefined => joined?.membership.outage();
  const onLost = (account: string): void => void joined?.membership.lose(account);
  const onUnwritable = (grant: Grant, problem: StoreOutage): void => joined?.membership.giveUp(grant, problem);
  const connected = (): NonNullable<typeof joined> => {
    if (joined === undefined) throw new Error("a replica has no accounts before it is connected");
    return joined;
  };
  const begin = async (account: string): Promise<boolean> =>
    (await connected().membership.claim(account)).kind === "self";
  const store = new EngineJournalStore(engine, { clock: counter, patience, suspended, begin, onLost, onUnwritable });
  return {
    store,
    wall: clock,
    connect(world, seed, report) {
      const parts = { engine, answers, store, world, counter, clock, length: lease, seed, report, log };
      joined = { membership: new Membership(randomUUID(), parts), world };
    },
    get ownership() {
      return connected().membership;
    },
    async join(listening, openAccounts) {
      const { membership, world } = connected();
      const url = options.url ?? reachable(listening);
      await expectOwnAddress({ ...membership.self, url }, options.ask ?? askIdentity);
      await membership.join(url);
      await membership.claim(SANDBOX_JOURNAL);
      for (const { consumerKey, events } of options.imports ?? []) {
        if (!(await store.begin(consumerKey)) || world.find(consumerKey) !== undefined) {
          log(notImported(consumerKey));
          continue;
        }
        store.append(consumerKey, resumeJournal(events, clock.now()));
        world.takeOver({ consumerKey, journal: store.read(consumerKey, 0) });
      }
      await openAccounts();
      await Promise.all(world.list().map((account) => account.journal.secured()));
    },
    leave: () => connected().membership.leave(),
  };
}

function notImported(account: string): string {
  return `the account ${account} is not imported, because the database already has it; delete it first, or use another database`;
}

/** A replica that listens on all addresses is reached by its host name. */
function reachable({ host, port, url }: Listening): string {
  return host === "0.0.0.0" || host === "::" ? `http://${hostname()}:${port}` : url;
}
