import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, inject, test } from "vitest";
import { lookAt } from "./kill-and-check.ts";
import { loadUntilGone, nothingYet } from "./load.ts";
import { type Launch, startProcess } from "./sandbox-process.ts";

/** As many bytes as a file may have, which stops a sandbox as a full disk does. */
const LIMIT = 400_000;

test("a file that cannot grow is answered with 503 and said once, goes on by itself, and has all that was acknowledged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-full-"));
  const words = ["--data", join(folder, "kredo.db"), "--seed", "1", "--balance", "100000000", "--latency", "100ms"];
  const launch: Launch = {
    command: inject("command"),
    folder,
    words,
    config: "",
    node: process.env["NODE_WITH_SQLITE"],
  };
  const limited = { ...launch, node: "prlimit", nodeWords: [`--fsize=${LIMIT}:`, launch.node ?? process.execPath] };
  const acknowledged = nothingYet();

  const sandbox = await startProcess(limited);
  // To open an account needs more room than an order, so it would fail while orders can still be written, and before they cannot.
  const load = (): Promise<void> => loadUntilGone(sandbox.url, acknowledged, false);
  // The connections of orders that wait for the disk are reset, because they may be carried out later.
  await load().catch(() => {});
  await expect(load()).rejects.toThrow("503");
  const during = await fetch(`${sandbox.url}/readyz`);
  // To open an account is a write of its own.
  const refused = [await openAccount(sandbox.url), await openAccount(sandbox.url)];
  await promisify(execFile)("prlimit", ["--pid", String(sandbox.pid), "--fsize=unlimited:"]);
  await untilReady(sandbox.url);
  const before = acknowledged.orders.size;
  const later = loadUntilGone(sandbox.url, acknowledged);
  while (acknowledged.orders.size < before + 100) await untilReady(sandbox.url);
  await sandbox.kill();
  await later;
  const again = await startProcess(launch);
  const { problems } = await lookAt(again, acknowledged);
  await again.kill();
  rmSync(folder, { recursive: true });

  expect({ status: during.status, text: await during.text() }).toEqual({
    status: 503,
    text: expect.stringContaining("requests are answered 503 until it can"),
  });
  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
  expect(sandbox.said().match(/store_outage/g)).toHaveLength(1);
  expect(problems).toEqual([]);
  expect(before).toBeGreaterThan(0);
});

/** A disk on which the write-ahead log of a roomy one would leave no room for the file. */
const SMALL = mountSmallDisk();

afterAll(() => {
  if (SMALL !== undefined) unmount(SMALL);
});

test.runIf(SMALL !== undefined)(
  "a disk smaller than the write-ahead log may become takes more orders than it has room for",
  async () => {
    const folder = SMALL ?? "";
    const launch: Launch = {
      command: inject("command"),
      folder: tmpdir(),
      words: ["--data", join(folder, "kredo.db"), "--seed", "1", "--balance", "100000000", "--latency", "1ms"],
      config: "journal: { max_transactions: 200, max_bytes: 200000 }",
      node: process.env["NODE_WITH_SQLITE"],
    };
    const acknowledged = nothingYet();

    const sandbox = await startProcess(launch);
    const load = loadUntilGone(sandbox.url, acknowledged, false);
    while (acknowledged.orders.size < ORDERS) await Promise.race([load, untilReady(sandbox.url)]);
    await sandbox.kill();
    await load;

    expect(sandbox.said()).not.toContain("store_outage");
  },
);

/** Their events take more than twice the room on the small disk. */
const ORDERS = 2_000;

/** Returns a folder of 4 MB; undefined if this process may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "kredo-small-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function unmount(folder: string): void {
  spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
}

function openAccount(url: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/__admin/accounts`, { method: "POST", headers, body: "{}" });
}

async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200);
}
