import { MemoryJournals } from "./memory-journals.ts";
import { manualWallClock } from "./gateway/manual-wall-clock.ts";
import { configSchema, type SandboxSettings } from "../../src/config.ts";
import { StoreOutage } from "../../src/gateway/ports/journal-store.ts";
import type { WallClock } from "../../src/gateway/ports/wall-clock.ts";
import { type RunningSandbox, startSandbox, type StartOptions } from "../../src/sandbox.ts";
import { RawClient, turns } from "./gateway/raw-client.ts";
import { WALL_START } from "./gateway/world.ts";
import type { AccountOwnership, Owner } from "../../src/storage/journal/account-ownership.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import type { Replica } from "../../src/storage/journal/account-ownership.ts";
import { startTestSandbox, type TestSandbox, type WrittenConfig } from "./sandbox.ts";

/** Who owns what, as one test has it: by account, the place of a replica in the list. */
class TestOwners {
  readonly replicas: Replica[] = [];
  readonly owners = new Map<string, number>();
  /** What a replica that does not own an account takes for its owner, until it is told otherwise. */
  readonly believed = new Map<string, number>();
  readonly forgotten: string[] = [];
  readonly leases = new Map<string, AbortController>();
  onForget: (account: string) => void = () => {};

  leaseOf(id: string): AbortController {
    const lease = this.leases.get(id) ?? new AbortController();
    this.leases.set(id, lease);
    return lease;
  }

  seenBy(place: number): AccountOwnership {
    const ownerOf = (account: string): Owner => {
      const truth = this.owners.get(account);
      const believed = this.believed.get(account) ?? place;
      const owner = believed === place ? truth : believed;
      const replica = owner === undefined ? undefined : this.replicas[owner];
      if (replica === undefined) return { kind: "nobody" };
      return owner === place ? { kind: "self" } : { kind: "replica", ...replica };
    };
    return {
      self: { id: `replica-${place}`, url: "" },
      secret: "hop-secret",
      lease: 5_000,
      leaseOf: ({ id }) => this.leaseOf(id).signal,
      ownerOf,
      forget: (account) => {
        this.forgotten.push(account);
        this.believed.delete(account);
        this.onForget(account);
      },
      claim: async (account) => {
        if (!this.owners.has(account)) this.owners.set(account, place);
        return ownerOf(account);
      },
      replicas: () => this.replicas.map((replica, index) => ({ ...replica, isSelf: index === place, accounts: [] })),
      waiting: () => [],
      observeAccounts: () => () => {},
      accounts: async () => [...this.owners.keys()].filter((account) => !account.startsWith(":")),
    };
  }
}

interface TestReplicas extends AsyncDisposable {
  readonly owners: TestOwners;
  readonly replicas: readonly TestSandbox[];
  /** The first replica. */
  readonly edge: TestSandbox;
  /** The second replica, which owns the account `key-1`. */
  readonly owner: TestSandbox;
  faults(): unknown[];
}

interface TestReplicasOptions {
  readonly config?: WrittenConfig;
  readonly ports?: Parameters<typeof startTestSandbox>[1];
  /** The place of the replica that owns the journal of requests without an account; the first one unless told. */
  readonly ownerOfSandbox?: number;
}

/** Replicas on free ports, each with an account `key-0`, `key-1` and so on of its own. */
export async function startTestReplicas(
  count: number,
  { config = {}, ports = {}, ownerOfSandbox = 0 }: TestReplicasOptions = {},
): Promise<TestReplicas> {
  const owners = new TestOwners();
  owners.owners.set(":sandbox", ownerOfSandbox);
  const replicas: TestSandbox[] = [];
  for (let place = 0; place < count; place += 1) {
    const accounts = [{ consumer_key: `key-${place}`, consumer_secret: "secret" }];
    const sandbox = await startTestSandbox({ ...config, accounts }, { ...ports, ownership: owners.seenBy(place) });
    owners.replicas.push({ id: `replica-${place}`, url: `http://127.0.0.1:${sandbox.port}` });
    owners.owners.set(`key-${place}`, place);
    replicas.push(sandbox);
  }
  const [edge, owner] = replicas;
  if (edge === undefined || owner === undefined) throw new Error("two replicas at least");
  return {
    owners,
    replicas,
    edge,
    owner,
    faults: () => replicas.flatMap(({ faults }) => faults),
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica[Symbol.asyncDispose]();
    },
  };
}

/** Replicas that share a sandbox in memory, each with a membership of its own. */
interface SharedReplicas extends AsyncDisposable {
  readonly replicas: readonly SharedReplica[];
  readonly first: SharedReplica;
  readonly second: SharedReplica;
  /** Starts one more, which gets its share of the accounts. */
  add(): Promise<SharedReplica>;
  /** Lets so much time pass, in steps in which leases are renewed, accounts taken over and handed on. */
  pass(by: number): Promise<void>;
  faults(): unknown[];
}

export interface SharedReplica {
  readonly running: RunningSandbox;
  readonly port: number;
  /** What its log says. */
  readonly lines: string[];
  connect(): Promise<RawClient>;
  /** Cuts it off from the journals. */
  cut(): void;
  /** Ends it as `kill -9` does: it says nothing to anybody any more. */
  kill(): Promise<void>;
}

const LEASE = 2_000;
/** Nothing here waits for anything but sockets of this process. */
const TURNS = 20;

export async function startSharedReplicas(
  count: number,
  config: WrittenConfig = {},
  ports: Pick<StartOptions, "pause"> = {},
): Promise<SharedReplicas> {
  const counter = manualWallClock(0);
  const memory = new MemoryJournals(() => WALL_START + counter.now());
  const faults: unknown[] = [];
  const replicas: SharedReplica[] = [];
  const pass = async (by: number): Promise<void> => {
    for (let passed = 0; passed < by; passed += LEASE / 4) {
      counter.advance(LEASE / 4);
      await turns(TURNS);
    }
  };
  const settings = configSchema.parse({ seed: 1, clock: "manual", ...config });
  const add = async (): Promise<SharedReplica> => {
    const replica = await startShared(settings, {
      ...ports,
      engine: memory.engine(),
      counter,
      report: (fault) => `report-${faults.push(fault)}`,
    });
    replicas.push(replica);
    await pass(LEASE);
    return replica;
  };
  for (let place = 0; place < count; place += 1) await add();
  const [first, second] = replicas;
  if (first === undefined || second === undefined) throw new Error("two replicas at least");
  return {
    replicas,
    first,
    second,
    add,
    pass,
    faults: () => faults,
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica.kill();
    },
  };
}

interface StartShared extends Pick<StartOptions, "pause"> {
  readonly engine: JournalEngine;
  readonly counter: WallClock;
  readonly report: (fault: unknown) => string;
}

async function startShared(
  settings: SandboxSettings,
  { engine, counter, report, pause }: StartShared,
): Promise<SharedReplica> {
  const cut = { isCut: false };
  const cuttable = new Proxy(engine, {
    get: (target, name: keyof JournalEngine) =>
      cut.isCut ? () => Promise.reject(new StoreOutage("cut off")) : target[name],
  });
  const lines: string[] = [];
  const replica = {
    engine: cuttable,
    counter,
    lease: LEASE,
    patience: LEASE,
    log: (line: string) => void lines.push(line),
  };
  const running = await startSandbox(settings, { overrideGlobals: false, report, replica, pause });
  const listening = await running.listen({ port: 0, host: "127.0.0.1" });
  return {
    running,
    port: listening.port,
    lines,
    connect: () => RawClient.connect(listening.port),
    cut: () => void (cut.isCut = true),
    async kill() {
      cut.isCut = true;
      await running.close();
      await listening.close();
    },
  };
}
