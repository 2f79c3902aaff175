import { setTimeout as pause } from "node:timers/promises";
import { post } from "../support/control-call.ts";
import { findLosses, findStray, type Problem } from "../kill/check-kept.ts";
import { nothingYet } from "../kill/load.ts";
import { findOvertaken, readOrReport } from "./check.ts";
import { acknowledgedIn, orderOnce } from "./load.ts";
import { ownerAndOther, type Replica, type Replicas, startReplicas } from "./replicas.ts";

// Each of these brings about, every time, the one situation in which a promise matters; the answer is what does not hold.

const ACCOUNT = "test-0";

/** The owner is killed while PostgreSQL has not got what clients ordered: nobody may have been told of it. */
export async function acknowledgesOnlyWhatIsWritten(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 1, accounts: 1 });
  const owner = firstOf(sandbox);
  owner.toDatabase.hold("out");
  const asked = await Promise.allSettled(
    Array.from({ length: 5 }, (_, turn) => orderOnce(owner.url, ACCOUNT, { turn, shillings: 10 })),
  );
  const answers = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  await sandbox.end(owner);
  return findLosses(await sandbox.journalOf(ACCOUNT), { ...nothingYet(), orders: acknowledgedIn(answers, 10) });
}

/** A callback falls due while PostgreSQL cannot be told of the attempt; another owner then sends it, and only that one may have. */
export async function sendsOnlyWhatIsWritten(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1, latency: "300ms" });
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  // In a build that breaks the promise, the first such packet says how the attempt ended.
  owner.toDatabase.hold("out", "attempt");
  await orderOnce(owner.url, ACCOUNT, { turn: 1, shillings: 10 });
  await untilOwns(sandbox, other);
  await sandbox.receiver.untilReceived(1);
  await post(`${other.url}/__admin/accounts/${ACCOUNT}/drain`, { within: "60s" });
  await sandbox.end(owner);
  return findStray(await sandbox.journalOf(ACCOUNT), sandbox.receiver.received);
}

/** What an owner has written reaches PostgreSQL when the account has another owner, which has gone on. */
export async function fencesLateWrites(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1, latency: "20ms" });
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  owner.toDatabase.hold("out", "accepted");
  const late = Promise.allSettled(
    Array.from({ length: 5 }, (_, turn) => orderOnce(owner.url, ACCOUNT, { turn, shillings: 10 })),
  );
  await owner.toDatabase.untilHolding("out", "accepted");
  await untilOwns(sandbox, other);
  const next = () => orderOnce(other.url, ACCOUNT, { turn: 9, shillings: 20 });
  const answers = [await next(), await next(), await next()];
  owner.toDatabase.mend();
  await owner.toDatabase.untilAnswered();
  const answered = (await late).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const promised = new Map([...acknowledgedIn(answered, 10), ...acknowledgedIn([...answers, await next()], 20)]);
  return await readOrReport(sandbox, ACCOUNT, (journal) => findLosses(journal, { ...nothingYet(), orders: promised }));
}

/** The acknowledgment takes a while from the owner to the replica that holds the client's connection. */
export async function callsBackAfterAcknowledgment(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1, latency: "0" });
  const { owner, other } = await ownerAndOther(sandbox, ACCOUNT);
  // The replicas know each other by now.
  await orderOnce(other.url, ACCOUNT, { turn: 99, shillings: 10 });
  owner.toPeers.delayAnswers(3_000);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, turn) => orderOnce(other.url, ACCOUNT, { turn, shillings: 10 })),
  );
  await sandbox.receiver.untilReceived(answers.length + 1);
  return findOvertaken(sandbox, new Map(answers.map(({ requestId, at }) => [requestId, { at, from: other.url }])));
}

function firstOf({ running }: Replicas): Replica {
  const [first] = running;
  if (first === undefined) throw new Error("no replica runs");
  return first;
}

async function untilOwns(sandbox: Replicas, replica: Replica): Promise<void> {
  while ((await sandbox.ownerOf(ACCOUNT)) !== replica) await pause(50);
}
