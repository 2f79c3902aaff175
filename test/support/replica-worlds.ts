import { MemoryJournals } from "./memory-journals.ts";
import { type ManualWallClock, manualWallClock } from "./gateway/manual-wall-clock.ts";
import { seededRandom } from "../../src/gateway/adapters/random/seeded-random.ts";
import { gatewayOptions } from "../../src/gateway/start-gateway.ts";
import type { RunningAccount } from "../../src/gateway/engine/account.ts";
import { World } from "../../src/gateway/engine/world.ts";
import type { AccountOwnership } from "../../src/storage/journal/account-ownership.ts";
import type { CallbackRequest, CallbackTransport } from "../../src/gateway/ports/callback-transport.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import { StoreOutage } from "../../src/gateway/ports/journal-store.ts";
import type { AccountSettings } from "../../src/gateway/settings/account-settings.ts";
import type { AccountJournal } from "../../src/storage/journal/journals.ts";
import { prepareReplica, type RunningReplica } from "../../src/storage/replicas/replica.ts";
import { allReady } from "./gateway/turns.ts";
import { accountSettings, WALL_START } from "./gateway/world.ts";

/** How long a lease of these replicas runs, and how long their writes wait. */
export const LEASE = 2_000;
export const PATIENCE = 1_000;

/** How long a carrier takes: longer than a replica that has just joined takes to ask for accounts. */
const LATENCY = 2_000;

/** What goes wrong between a replica and the engine. */
export interface Trouble {
  /** Nothing gets through. */
  isAway: boolean;
  /** Nothing gets through, and no error says so. */
  hangs: boolean;
  /** Nothing gets through until `release`. */
  holds: boolean;
  release: () => void;
  /** Writes are made, and their answers lost. */
  losesAnswers: boolean;
  /** No account is granted. */
  grantsNothing: boolean;
}

export interface TestReplica {
  readonly world: World;
  readonly ownership: AccountOwnership;
  readonly replica: RunningReplica;
  readonly trouble: Trouble;
  readonly sent: CallbackRequest[];
  readonly log: string[];
  readonly faults: unknown[];
  /** Opens an account, and waits until it is safe. */
  open(settings: Partial<AccountSettings> & { readonly consumer_key: string }): Promise<RunningAccount>;
  /** As a process that is killed: nothing of it happens any more. */
  kill(): void;
}

/** Replicas of one process on the engine in memory, on a wall clock that stands still until it is told to move. */
export class TestReplicas {
  readonly wall: ManualWallClock = manualWallClock(WALL_START);
  readonly memory = new MemoryJournals(() => this.wall.now());

  async add(name: string, imports: readonly AccountJournal[] = []): Promise<TestReplica> {
    const trouble: Trouble = {
      isAway: false,
      hangs: false,
      holds: false,
      release: () => {},
      losesAnswers: false,
      grantsNothing: false,
    };
    const [log, faults, sent]: [string[], unknown[], CallbackRequest[]] = [[], [], []];
    const report = (fault: unknown): void => void faults.push(fault);
    const counter = silenceable(this.wall);
    const engine = troubled(this.memory.engine(), trouble);
    const replica = prepareReplica({
      engine,
      lease: LEASE,
      patience: PATIENCE,
      log: (line) => log.push(line),
      counter: counter.clock,
      ask: async () => undefined,
      imports,
    });
    const { gateway, journal, max_rules: maxRules } = gatewayOptions.parse({ latency_ms: LATENCY });
    const transport = recording(sent, counter.isSilent);
    const ports = {
      gateway,
      bounds: journal,
      maxRules,
      store: replica.store,
      wall: replica.wall,
      random: seededRandom(),
      transport,
      report,
    };
    const world = new World(ports, { isShared: true });
    replica.connect(world, 1, report);
    const url = `http://${name}.test`;
    await replica.join({ host: name, port: 80, url, drain: async () => {}, close: async () => {} }, async () => {});
    world.wake();
    await allReady();
    const open: TestReplica["open"] = async (settings) => {
      await replica.store.begin(settings.consumer_key);
      const account = world.open(accountSettings(settings));
      await account.journal.secured();
      return account;
    };
    const kill = (): void => {
      trouble.isAway = true;
      counter.silence();
      world.close();
    };
    return { world, ownership: replica.ownership, replica, trouble, sent, log, faults, open, kill };
  }

  /** Lets wall time pass in steps that let everything happen on the way. */
  async pass(millis: number): Promise<void> {
    for (let left = millis; left > 0; left -= 100) {
      this.wall.advance(Math.min(100, left));
      for (let turn = 0; turn < 4; turn += 1) await allReady();
    }
  }
}

/** A clock whose jobs no longer run once it is silenced. */
function silenceable(wall: ManualWallClock) {
  let isSilent = false;
  return {
    clock: {
      now: () => wall.now(),
      after: (wait: number, job: () => void) => wall.after(wait, () => (isSilent ? undefined : job())),
      turn: () => wall.turn(),
    },
    isSilent: () => isSilent,
    silence: () => void (isSilent = true),
  };
}

function troubled(engine: JournalEngine, trouble: Trouble): JournalEngine {
  const through = async <T>(call: () => Promise<T>): Promise<T> => {
    if (trouble.isAway) throw new StoreOutage("the engine is away");
    if (trouble.hangs) return await new Promise(() => {});
    if (trouble.holds) await new Promise<void>((resolve) => (trouble.release = resolve));
    return call();
  };
  return {
    ...engine,
    heartbeat: () => through(() => engine.heartbeat()),
    acquire: (account, options) =>
      through(async () => {
        if (trouble.grantsNothing) throw new StoreOutage("no account is granted");
        return engine.acquire(account, options);
      }),
    release: (grant, to) => through(() => engine.release(grant, to)),
    leave: () => through(() => engine.leave()),
    list: () => through(() => engine.list()),
    flush: (writes) =>
      through(async () => {
        const written = await engine.flush(writes);
        if (trouble.losesAnswers) throw new StoreOutage("the answer was lost");
        return written;
      }),
  };
}

function recording(sent: CallbackRequest[], isSilent: () => boolean): CallbackTransport {
  return {
    deliver: async (request) => {
      if (!isSilent()) sent.push(request);
      return { outcome: { kind: "answered", status: 200, body: "ok" }, millis: 5 };
    },
    close: async () => {},
  };
}
