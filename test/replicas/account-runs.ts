import { isDeepStrictEqual } from "node:util";
import type { AccountEvent } from "../../src/account/account-event.ts";
import { get, post } from "../support/control-call.ts";
import { findLosses, findStray, type Problem } from "../kill/check-kept.ts";
import { nothingYet } from "../kill/load.ts";
import { orderOnce } from "./load.ts";
import { type Replica, type Replicas, startReplicas } from "./replicas.ts";

// What is done to one account with its owner dying in the middle, or with a clock that is wrong; the answer is what does not hold.

const ACCOUNT = "test-0";

/** Asks for k orders' worth of money four times over, at all replicas at once. */
export async function emptyWallet(command: string): Promise<{ accepted: number; refused: number; others: number; problems: Problem[] }> {
  await using sandbox = await startReplicas({ command, replicas: 3, accounts: 1, balance: "1000", latency: "20" });
  const orders = Array.from({ length: 40 }, (_, turn) => orderOnce(urlAt(sandbox, turn), ACCOUNT, { turn, shillings: 100 }));
  const statuses = (await Promise.all(orders)).map(({ status }) => status);
  await post(`${urlAt(sandbox, 0)}/__admin/accounts/${ACCOUNT}/drain`, { within: "60s" });
  const journal = await sandbox.journalOf(ACCOUNT);
  const [accepted, refused] = [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 402).length];
  const problems = [...findLosses(journal, nothingYet()), ...findStray(journal, sandbox.receiver.received)];
  return { accepted, refused, others: statuses.length - accepted - refused, problems };
}

/** A replica whose clock is 6 s fast owns the account; how far from their due time its callbacks came, in ms. */
export async function wrongClock(command: string): Promise<{ furthest: number; callbacks: number }> {
  const latency = 500;
  await using sandbox = await startReplicas({ command, replicas: 1, accounts: 1, latency: String(latency) });
  const right = sandbox.running[0];
  const shifted = await sandbox.add({ nodeWords: ["--import", new URL("shifted-clock.mjs", import.meta.url).pathname] });
  const before = await Promise.all(Array.from({ length: 5 }, (_, turn) => orderOnce(shifted.url, ACCOUNT, { turn, shillings: 10 })));
  if (right !== undefined) await sandbox.end(right);
  const after: typeof before = [];
  for (let turn = 5; turn < 25; turn += 1) after.push(await orderUntilAccepted(shifted.url, turn));
  await sandbox.receiver.untilReceived(25);
  const late = after.map(({ requestId, at }) => Math.abs((sandbox.receiver.received.get(requestId)?.[0]?.at ?? Infinity) - at - latency));
  return { furthest: Math.max(...late), callbacks: before.length + after.length };
}

/** Kills the owner in the middle of an advance that another replica was asked for, and advances again. */
export async function killDuringAdvance(command: string): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1 });
  const { owner, other } = await ownerAndOther(sandbox);
  const account = `${other.url}/__admin/accounts/${ACCOUNT}`;
  await post(`${account}/clock`, { mode: "manual" }, "PUT");
  const orders = Array.from({ length: 100 }, (_, turn) => orderOnce(other.url, ACCOUNT, { turn, shillings: 10 }));
  const promised = new Map((await Promise.all(orders)).map(({ requestId }) => [requestId, 10]));
  const advance = post(`${account}/advance`, { by: "10m", within: "60s" }).catch(() => undefined);
  await sandbox.receiver.untilReceived(20);
  await sandbox.end(owner);
  await advance;
  await untilServed(other);
  await post(`${account}/advance`, { by: "10m", within: "60s" });
  const journal = await sandbox.journalOf(ACCOUNT);
  return [...findLosses(journal, { ...nothingYet(), orders: promised }), ...findStray(journal, sandbox.receiver.received)];
}

/** What replaces a whole journal, and where the owner dies: before PostgreSQL has it, or before anybody hears that it has. */
export async function killDuring(command: string, change: "reset" | "import", moment: "before" | "after"): Promise<Problem[]> {
  await using sandbox = await startReplicas({ command, replicas: 2, accounts: 1 });
  const { owner, other } = await ownerAndOther(sandbox);
  const account = `${other.url}/__admin/accounts/${ACCOUNT}`;
  for (let turn = 0; turn < 10; turn += 1) await orderOnce(other.url, ACCOUNT, { turn, shillings: 10 });
  await post(`${account}/drain`, { within: "60s" });
  const before = await get<{ events: AccountEvent[] }>(`${account}/export`);
  const direction = moment === "before" ? "out" : "back";
  owner.toDatabase.hold(direction);
  const answer = (change === "reset" ? post(`${account}/reset`, {}) : post(`${account}/import`, before, "PUT")).then(
    () => "acknowledged",
    () => "failed",
  );
  if (moment === "before") await owner.toDatabase.untilHolding("out");
  else while (isDeepStrictEqual(await sandbox.journalOf(ACCOUNT), before.events));
  await sandbox.end(owner);
  const said = await answer;
  await untilServed(other);
  const { events } = await get<{ events: AccountEvent[] }>(`${account}/export`);
  // The replica that was asked may have asked the next owner again.
  const expected = said === "acknowledged" ? "after" : moment;
  const found = isDeepStrictEqual(events, before.events) ? "before" : "after";
  const text = `killed ${moment} the ${change} was written, and it ${said}: the account is as ${found} it`;
  return found === expected ? [] : [{ kind: "wrong", text }];
}

async function ownerAndOther(sandbox: Replicas): Promise<{ owner: Replica; other: Replica }> {
  const owner = await sandbox.ownerOf(ACCOUNT);
  const other = sandbox.running.find((replica) => replica !== owner);
  if (owner === undefined || other === undefined) throw new Error(`${ACCOUNT} has no owner, or there is nobody else`);
  return { owner, other };
}

function urlAt({ running }: Replicas, turn: number): string {
  return running[turn % running.length]?.url ?? "";
}

/** While an account waits for its new owner, replicas answer 503. */
async function orderUntilAccepted(url: string, turn: number) {
  for (;;) {
    const answer = await orderOnce(url, ACCOUNT, { turn, shillings: 10 });
    if (answer.status === 200) return answer;
  }
}

async function untilServed({ url }: Replica): Promise<void> {
  while ((await fetch(`${url}/__admin/accounts/${ACCOUNT}/wallet`)).status !== 200);
}
