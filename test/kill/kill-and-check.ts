import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { mix32 } from "../../src/gateway/domain/draws.ts";
import { findLosses, findStray, type Problem } from "./check-kept.ts";
import { type Acknowledged, loadUntilGone, nothingYet } from "./load.ts";
import { get, post } from "../support/control-call.ts";
import { startReceiver } from "./receiver.ts";
import { type Launch, type SandboxProcess, startProcess } from "./sandbox-process.ts";

/** What became of one file whose sandbox was killed again and again. */
export interface Figures {
  readonly kills: number;
  /** Orders, top-ups and accounts that the sandbox said yes to. */
  readonly acknowledged: number;
  /** Transactions that had something still to come at a kill. */
  readonly pending: number;
  /** Callbacks that say that they are possibly repeated, and those that really came twice. */
  readonly possiblyRepeated: number;
  readonly cameTwice: number;
  /** Wall time of the slowest start. */
  readonly slowestStart: number;
  readonly problems: readonly Problem[];
}

/** Results and callbacks take some time, so that there is always something pending. */
const LATENCY = 300;
const CONFIG = "journal: { max_transactions: 1000000, max_bytes: 1073741824 }\n";

/** Kills a sandbox under load at moments that a seed says, starts it on the same file each time, and looks what is left. */
export async function killAndCheck(
  command: string,
  { seed, kills }: { seed: number; kills: number },
): Promise<Figures> {
  await using receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "kredo-kill-"));
  const flags = {
    data: join(folder, "kredo.db"),
    "callback-url": receiver.url,
    seed,
    balance: 100_000_000,
    latency: `${LATENCY}ms`,
  };
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const launch: Launch = { command, folder, words, config: CONFIG, node: process.env["NODE_WITH_SQLITE"] };
  const acknowledged = nothingYet();
  const problems: Problem[] = [];
  const starts: number[] = [];
  let pending = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const sandbox = await startProcess(launch);
    starts.push(sandbox.startMillis);
    const found = await lookAt(sandbox, acknowledged);
    problems.push(...found.problems);
    pending += found.pending;
    await Promise.all([
      loadUntilGone(sandbox.url, acknowledged),
      killLater(sandbox, acknowledged, momentOf(seed, kill)),
    ]);
  }
  const last = await startProcess(launch);
  const { pending: left, ...found } = await lookAt(last, acknowledged);
  await post(`${last.url}/__admin/accounts/default/drain`, { within: "60s" });
  const events = await eventsOf(last);
  await last.kill();
  rmSync(folder, { recursive: true });
  return {
    kills,
    acknowledged: acknowledged.orders.size + acknowledged.topUps.length + acknowledged.accounts.length,
    pending: pending + left,
    possiblyRepeated: events.filter((event) => event.kind === "attempted" && event.possiblyRepeated).length,
    cameTwice: [...receiver.received.values()].filter(({ length }) => length > 1).length,
    slowestStart: Math.max(...starts, last.startMillis),
    problems: [
      ...problems,
      ...found.problems,
      ...findLosses(events, acknowledged),
      ...findStray(events, receiver.received),
    ],
  };
}

/** Between a tenth of a second and a second and a half of load. */
function momentOf(seed: number, kill: number): number {
  return 100 + ((mix32(seed * 1_000 + kill) >>> 0) % 1_400);
}

/** Counts from the first acknowledgment, which takes long on a busy machine. */
async function killLater(sandbox: SandboxProcess, { orders }: Acknowledged, wait: number): Promise<void> {
  while (orders.size === 0) await fetch(`${sandbox.url}/livez`);
  await pause(wait);
  await sandbox.kill();
}

/** Finds what was acknowledged and is lost, and counts the transactions that are still pending. */
export async function lookAt(
  sandbox: SandboxProcess,
  acknowledged: Acknowledged,
): Promise<{ pending: number; problems: Problem[] }> {
  const events = await eventsOf(sandbox);
  const keys = JSON.stringify(await get(`${sandbox.url}/__admin/accounts`));
  const lost = acknowledged.accounts.filter((key) => !keys.includes(JSON.stringify(key)));
  const open = new Set<string>();
  for (const event of events) {
    if (event.kind === "accepted") open.add(event.requestId);
    if (event.kind === "attempted") open.delete(event.requestId);
  }
  return {
    pending: open.size,
    problems: [
      ...findLosses(events, acknowledged),
      ...lost.map((key): Problem => ({ kind: "lost", text: `the account ${key} was acknowledged and is lost` })),
    ],
  };
}

async function eventsOf({ url }: SandboxProcess): Promise<readonly AccountEvent[]> {
  const { events }: { events: AccountEvent[] } = await get(`${url}/__admin/accounts/default/export`);
  return events;
}
