import { mix32 } from "../../src/gateway/domain/draws.ts";
import type { SmallDisk } from "./full-disk.ts";
import { checkAll, type Figures } from "./check.ts";
import { type Load, startLoad } from "./load.ts";
import { type Replica, type Replicas, type ReplicasOptions, startReplicas } from "./replicas.ts";

/** What is done to a sandbox while clients order; the answer is how long each take-over took, in ms. */
export type Disruption = (sandbox: Replicas, load: Load) => Promise<readonly number[]>;

export interface RunFigures extends Figures {
  /** From the moment an owner was gone until others had acknowledged something on each of its accounts. */
  readonly takeOvers: readonly number[];
}

/** Starts replicas and clients, does something to them, and looks what is left. */
export async function run(
  options: ReplicasOptions,
  disruption: Disruption,
  isEachAnswered = false,
): Promise<RunFigures> {
  await using sandbox = await startReplicas(options);
  const load = startLoad({ replicas: () => sandbox.asked().map(({ url }) => url), accounts: sandbox.accounts });
  try {
    await load.untilServed(sandbox.accounts);
    const takeOvers = await disruption(sandbox, load);
    await load.untilServed(sandbox.accounts);
    await load.stop();
    return { ...(await checkAll(sandbox, load, isEachAnswered)), takeOvers };
  } finally {
    await load.stop();
  }
}

/** Kills the owner of an account, again and again, after as many acknowledgments as a seed says; a new replica takes its place. */
export function killOwners({
  kills,
  seed,
  signal,
}: {
  kills: number;
  seed: number;
  signal?: NodeJS.Signals;
}): Disruption {
  return async (sandbox, load) => {
    const takeOvers: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await load.untilAcknowledged(20 + ((mix32(seed * 1_000 + kill) >>> 0) % 200));
      const { owner, owned } = await ownerOfSome(sandbox, kill);
      const served = load.untilServed(owned);
      await sandbox.end(owner, signal);
      takeOvers.push(await served);
      await sandbox.add();
    }
    return takeOvers;
  };
}

/** Stops the owner of an account for twice its lease, in the middle of what it does, and lets it go on. */
export const pauseOwner: Disruption = async (sandbox, load) => {
  const { owner, owned } = await ownerOfSome(sandbox, 0);
  const twice = pause(2 * sandbox.leaseMillis);
  const served = load.untilServed(owned);
  sandbox.spare(owner);
  sandbox.cutOff.add(owner.url);
  owner.signal("SIGSTOP");
  const takeOver = await served;
  await twice;
  owner.signal("SIGCONT");
  sandbox.askAgain(owner);
  await untilReady(owner);
  return [takeOver];
};

/** Cuts the owner of an account off from PostgreSQL, as a firewall does that drops packets, until others serve its accounts. */
export const cutOffDatabase: Disruption = async (sandbox, load) => {
  const { owner, owned } = await ownerOfSome(sandbox, 0);
  const served = load.untilServed(owned);
  sandbox.cutOff.add(owner.url);
  owner.toDatabase.hold("out");
  owner.toDatabase.hold("back");
  const takeOver = await served;
  owner.toDatabase.mend();
  await untilReady(owner);
  return [takeOver];
};

/** Cuts the owner of an account off from the other replicas: they say 503 for it, and it serves whoever asks it. */
export const cutOffPeers: Disruption = async (sandbox, load) => {
  const { owner } = await ownerOfSome(sandbox, 0);
  const unavailable = load.untilUnavailable(10);
  owner.toPeers.cut();
  await unavailable;
  await load.untilServed(sandbox.accounts);
  owner.toPeers.mend();
  return [];
};

/** Crashes PostgreSQL and starts it again. */
export const restartPostgres: Disruption = async (sandbox, load) => {
  await load.untilAcknowledged(100);
  await sandbox.postgres.stop("immediate");
  const from = performance.now();
  await sandbox.postgres.start();
  await load.untilServed(sandbox.accounts);
  return [performance.now() - from];
};

/** Stops PostgreSQL for longer than a request waits, and starts it again. */
export const stopPostgres: Disruption = async (sandbox, load) => {
  await load.untilAcknowledged(100);
  await sandbox.postgres.stop("immediate");
  await load.untilUnavailable(50);
  await pause(6_000);
  const from = performance.now();
  await sandbox.postgres.start();
  await load.untilServed(sandbox.accounts);
  const served = performance.now() - from;
  await Promise.all(sandbox.running.map(untilReady));
  return [served];
};

/** Takes Kredo's privileges away until every replica says so, once, and gives them back. */
export const revokePrivileges: Disruption = async (sandbox, load) => {
  await load.untilAcknowledged(100);
  await sandbox.postgres.query("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM kredo");
  await load.untilUnavailable(50);
  await pause(3_000);
  await sandbox.postgres.query("GRANT ALL ON ALL TABLES IN SCHEMA public TO kredo");
  const from = performance.now();
  await load.untilServed(sandbox.accounts);
  const served = performance.now() - from;
  await Promise.all(sandbox.running.map(untilReady));
  for (const { said, name } of sandbox.running) {
    const lines = said()
      .split("\n")
      .filter((line) => /permission denied/.test(line));
    if (lines.length !== 1 || / at /.test(lines.join())) load.wrong.push(`${name} said: ${lines.join("\n")}`);
  }
  return [served];
};

/** Loses PostgreSQL for good; its synchronous standby becomes the primary, at the same address. */
export const failOver: Disruption = async (sandbox, load) => {
  const standby = await sandbox.postgres.addStandby();
  await load.untilAcknowledged(200);
  await sandbox.postgres.stop("immediate");
  const from = performance.now();
  await standby.promote();
  sandbox.moveTo(standby);
  await load.untilServed(sandbox.accounts);
  return [performance.now() - from];
};

/** PostgreSQL commits, but its answer does not come back. */
export const loseAnswers: Disruption = async (sandbox, load) => {
  for (const replica of sandbox.running) {
    replica.toDatabase.hold("back");
    await replica.toDatabase.untilHolding("back");
    replica.toDatabase.cut();
    replica.toDatabase.mend();
  }
  await load.untilServed(sandbox.accounts);
  return [];
};

/** Fills the disk that PostgreSQL keeps the journals on, and makes room again; each replica says so once. */
export function fillDisk(disk: SmallDisk): Disruption {
  return async (sandbox, load) => {
    disk.fill();
    await load.untilUnavailable(20);
    disk.makeRoom();
    await Promise.all(sandbox.running.map(untilReady));
    for (const { said, name } of sandbox.running) {
      const times = said()
        .split("\n")
        .filter((line) => /No space left on device/.test(line)).length;
      if (times > 1) load.wrong.push(`${name} said ${times} times that the disk is full`);
    }
    return [];
  };
}

async function ownerOfSome(sandbox: Replicas, turn: number): Promise<{ owner: Replica; owned: string[] }> {
  const account = sandbox.accounts[turn % sandbox.accounts.length] ?? "";
  for (;;) {
    const owners = await Promise.all(sandbox.accounts.map((one) => sandbox.ownerOf(one)));
    const owner = owners[sandbox.accounts.indexOf(account)];
    if (owner !== undefined) return { owner, owned: sandbox.accounts.filter((_, index) => owners[index] === owner) };
    await pause(20);
  }
}

async function untilReady({ url }: Replica): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await pause(50);
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, millis));
}
