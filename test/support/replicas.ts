import type { AccountOwnership, Owner } from "../../src/ports/account-ownership.ts";
import type { Replica } from "../../src/ports/journal-engine.ts";
import { startTestSandbox, type TestSandbox, type WrittenConfig } from "./sandbox.ts";

/** Who owns what, as one test has it: by account, the place of a replica in the list. */
class TestOwners {
  readonly replicas: Replica[] = [];
  readonly owners = new Map<string, number>();
  /** What a replica that does not own an account takes for its owner, until it is told otherwise. */
  readonly believed = new Map<string, number>();
  readonly forgotten: string[] = [];
  onForget: (account: string) => void = () => {};

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
      accounts: async () => [...this.owners.keys()].filter((account) => !account.startsWith(":")),
    };
  }
}

export interface TestReplicas extends AsyncDisposable {
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
