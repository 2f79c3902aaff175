import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { SANDBOX_JOURNAL } from "../../src/gateway/engine/world.ts";
import { type Receiver, startReceiver } from "../kill/receiver.ts";
import { type SandboxProcess, startProcess } from "../kill/sandbox-process.ts";
import { type Cable, startCable } from "./cable.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

/** A replica in a process of its own, with a cable to PostgreSQL and one that the other replicas reach it by. */
export interface Replica extends SandboxProcess {
  readonly name: string;
  readonly toDatabase: Cable;
  readonly toPeers: Cable;
}

/** A sandbox of several replicas, on a PostgreSQL of its own. */
export interface Replicas extends AsyncDisposable {
  readonly postgres: Postgres;
  /** Another one at the same address. */
  moveTo(postgres: Postgres): void;
  readonly receiver: Receiver;
  readonly accounts: readonly string[];
  readonly leaseMillis: number;
  /** Those that run. */
  readonly running: readonly Replica[];
  /** Those of them that clients ask. */
  asked(): readonly Replica[];
  /** Lets clients ask one no longer, until they are told to ask it again. */
  spare(replica: Replica): void;
  askAgain(replica: Replica): void;
  /** Where those listen that were paused, or cut off from PostgreSQL. */
  readonly cutOff: Set<string>;
  /** Starts one more and resolves when it is ready. */
  add(given?: { readonly nodeWords?: readonly string[]; readonly words?: readonly string[] }): Promise<Replica>;
  /** Ends one: at once, or as a signal does. */
  end(replica: Replica, signal?: NodeJS.Signals): Promise<void>;
  /** Which of those that run owns an account, as the database has it; undefined while none does. */
  ownerOf(account: string): Promise<Replica | undefined>;
  /** What PostgreSQL has of an account. */
  journalOf(account: string): Promise<readonly AccountEvent[]>;
}

export interface ReplicasOptions {
  /** The bundled command. */
  readonly command: string;
  readonly replicas: number;
  readonly accounts?: number;
  readonly balance?: string;
  readonly latency?: string;
  /** Default 5, as in the product. */
  readonly leaseSeconds?: number;
  /** How long a request waits for PostgreSQL. Default 5, as in the product. */
  readonly waitSeconds?: number;
  /** Done with PostgreSQL before the first replica starts. */
  readonly prepare?: (postgres: Postgres) => Promise<void>;
}

export async function startReplicas({
  command,
  replicas,
  accounts = 4,
  balance,
  latency = "300ms",
  leaseSeconds = 5,
  waitSeconds = 5,
  prepare,
}: ReplicasOptions): Promise<Replicas> {
  const first = await startPostgres();
  await prepare?.(first);
  let postgres = first;
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "kredo-replicas-"));
  const keys = Array.from({ length: accounts }, (_, index) => `test-${index}`);
  const config = configOf(keys, {
    url: receiver.url,
    balance: balance ?? "900000000",
    lease: `${leaseSeconds}s`,
    wait: `${waitSeconds}s`,
  });
  const running: Replica[] = [];
  const spared = new Set<Replica>();
  let started = 0;

  const add: Replicas["add"] = async ({ nodeWords = [], words = [] } = {}) => {
    const toDatabase = await startCable(postgres.port);
    const toPeers = await startCable(0);
    const address = ["--data", postgres.url(toDatabase.port), "--replica-url", `http://127.0.0.1:${toPeers.port}`];
    const sandbox = await startProcess({
      command,
      folder,
      config,
      nodeWords,
      words: [...address, "--latency", latency, ...words],
    });
    toPeers.leadTo(Number(new URL(sandbox.url).port));
    started += 1;
    const replica = { ...sandbox, name: `replica ${started}`, toDatabase, toPeers };
    running.push(replica);
    return replica;
  };
  const end: Replicas["end"] = async (replica, signal) => {
    running.splice(running.indexOf(replica), 1);
    await replica.kill(signal);
    await replica.toDatabase[Symbol.asyncDispose]();
    await replica.toPeers[Symbol.asyncDispose]();
  };
  const sandbox: Replicas = {
    get postgres() {
      return postgres;
    },
    moveTo(other) {
      postgres = other;
      for (const { toDatabase } of running) toDatabase.leadTo(other.port);
    },
    receiver,
    accounts: keys,
    leaseMillis: leaseSeconds * 1_000,
    running,
    cutOff: new Set(),
    asked: () => running.filter((replica) => !spared.has(replica)),
    spare: (replica) => void spared.add(replica),
    askAgain: (replica) => void spared.delete(replica),
    add,
    end,
    async ownerOf(account) {
      const url = await postgres.query(
        `SELECT replica.url FROM kredo_account account JOIN kredo_replica replica ON replica.id = account.owner
         WHERE account.name = '${account}' AND replica.lease_ends > extract(epoch FROM clock_timestamp()) * 1000`,
      );
      return running.find(({ toPeers }) => url === `http://127.0.0.1:${toPeers.port}`);
    },
    async journalOf(account) {
      const lines = await postgres.query(
        `SELECT events.last, account.version, events.body FROM kredo_account account JOIN kredo_events events ON events.account = account.id
         WHERE account.name = '${account}' ORDER BY events.last`,
      );
      return readJournal(lines.split("\n").filter(Boolean));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((replica) => end(replica)));
      await receiver[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
  for (let count = 0; count < replicas; count += 1) await add();
  return sandbox;
}

/** The owner of an account and the other of two replicas, once each has its share, so that nothing moves any more. */
export async function ownerAndOther(sandbox: Replicas, account: string): Promise<{ owner: Replica; other: Replica }> {
  for (;;) {
    const [owner, other] = [await sandbox.ownerOf(account), await sandbox.ownerOf(SANDBOX_JOURNAL)];
    if (owner !== undefined && other !== undefined && owner !== other) return { owner, other };
    // Each look starts two processes.
    await pause(50);
  }
}

/**
 * Reads lines that end with events as JSON, after the number of the last one and the account's version. A journal that was begun again may
 * have been written without the events before that.
 */
function readJournal(lines: readonly string[]): AccountEvent[] {
  const journal: AccountEvent[] = [];
  let evicted = 0;
  let version = 0;
  for (const line of lines) {
    const [last, claimed, body = "[]"] = line.split("\t");
    const events: AccountEvent[] = JSON.parse(body);
    const before = Number(last) - events.length;
    if (journal.length === 0 && events[0]?.kind === "opened") evicted = before;
    // The row in which an account was begun again may hold what came before that too.
    const repeated = journal.length === 1 && evicted > 0 ? evicted + 1 - before : 0;
    journal.push(...events.slice(repeated));
    const place = evicted + journal.length;
    if (place !== Number(last)) throw new TornJournal(`event ${last} stands where event ${place} belongs`);
    version = Number(claimed);
  }
  const length = evicted + journal.length;
  if (length !== version) throw new TornJournal(`the journal ends with event ${length}, its account is at ${version}`);
  return journal;
}

/** PostgreSQL has a journal that no single owner wrote. */
export class TornJournal extends Error {}

/** Journals keep everything, so that the checker reads all that ever happened. */
function configOf(
  keys: readonly string[],
  { url, balance, lease, wait }: { url: string; balance: string; lease: string; wait: string },
): string {
  const written = keys.map(
    (key) =>
      `  - { consumer_key: ${key}, consumer_secret: secret, balance: "${balance}", callbacks: { airtime: "${url}", sms: "${url}" } }`,
  );
  const journal = "journal: { max_transactions: 1000000, max_bytes: 1073741824 }";
  return `${journal}\nreplicas: { lease: ${lease}, wait: ${wait} }\naccounts:\n${written.join("\n")}\n`;
}
