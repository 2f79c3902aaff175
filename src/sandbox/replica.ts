import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { EngineJournalStore } from "../adapters/journal/engine-journal-store.ts";
import { engineClock } from "../adapters/time/engine-clock.ts";
import type { Listening } from "../adapters/server/node-server.ts";
import { systemClock } from "../adapters/time/system-clock.ts";
import type { Millis } from "../domain/time.ts";
import { Membership } from "../engine/membership.ts";
import { SANDBOX_JOURNAL, type World } from "../engine/world.ts";
import type { AccountOwnership } from "../ports/account-ownership.ts";
import type { JournalEngine } from "../ports/journal-engine.ts";
import type { JournalStore, StoreOutage } from "../ports/journal-store.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { AccountJournal } from "./journals.ts";

export interface ReplicaOptions {
  readonly engine: JournalEngine;
  /** How long the others wait before they take over from a replica that does not answer. */
  readonly lease: Millis;
  /** How long a request waits while the engine is away. */
  readonly patience: Millis;
  /** Where the others reach this replica; where it listens unless told. */
  readonly url?: string;
  /** Told in a line when accounts are taken over, and when this replica cannot renew its lease. */
  readonly log: (line: string) => void;
  /** Journals that are added where the sandbox has no account of that key. */
  readonly brought?: readonly AccountJournal[];
  /** Time that nobody sets; the machine's counter unless told. */
  readonly counter?: WallClock;
}

/** What a replica's world is built with. */
export interface ReplicaParts {
  readonly store: JournalStore;
  readonly wall: WallClock;
  /** Makes it a member of the sandbox once its world is there. */
  readonly connect: (world: World, options: ConnectOptions) => Replica;
}

interface ConnectOptions {
  readonly seed: number | undefined;
  readonly report: (fault: unknown) => void;
}

/** One of several processes that are one sandbox. */
export interface Replica {
  readonly ownership: AccountOwnership;
  outage(): StoreOutage | undefined;
  /** Joins the others under the URL that it listens on, and takes or begins what is nobody's: first the accounts of the settings. */
  join(listening: Listening, openAccounts: () => Promise<void>): Promise<void>;
  /** Whether an account of this key may be opened here: then it is nobody else's. */
  readonly reserve: (consumerKey: string) => Promise<boolean>;
  /** Hands all accounts over. */
  leave(): Promise<void>;
}

export function prepareReplica(options: ReplicaOptions): ReplicaParts {
  const { engine, lease, patience, log, counter = systemClock({ read: () => performance.now() }) } = options;
  const clock = engineClock(counter);
  let membership: Membership | undefined;
  const outage = (): StoreOutage | undefined => membership?.outage();
  const store = new EngineJournalStore(engine, {
    clock: counter,
    patience,
    suspended: outage,
    onLost: (account) => membership?.lose(account),
  });
  const connect: ReplicaParts["connect"] = (world, { seed, report }) => {
    const joined = new Membership(randomUUID(), { engine, store, world, counter, clock, length: lease, seed, report, log });
    membership = joined;
    const reserve = async (key: string): Promise<boolean> => {
      const owner = await joined.claim(key);
      return owner.kind === "self" && world.find(key) === undefined;
    };
    return {
      ownership: joined,
      outage,
      reserve,
      join: async (listening, openAccounts) => {
        await joined.join(options.url ?? reachable(listening));
        await joined.claim(SANDBOX_JOURNAL);
        for (const { consumerKey, events } of options.brought ?? []) {
          if (!(await reserve(consumerKey))) continue;
          store.append(consumerKey, events);
          world.adopt({ consumerKey, journal: store.read(consumerKey, 0) });
        }
        await openAccounts();
        await Promise.all(world.list().map((account) => account.secured()));
      },
      leave: () => joined.leave(),
    };
  };
  return { store, wall: clock, connect };
}

/** Where it listens on all addresses, the others find it by its host name. */
function reachable({ host, port, url }: Listening): string {
  return host === "0.0.0.0" || host === "::" ? `http://${hostname()}:${port}` : url;
}
