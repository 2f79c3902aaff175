import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { sendMany } from "./traffic.ts";
import { expect as patientExpect, welcomeVisitor } from "./visitor.ts";

const PER_SECOND = 200;
const SECONDS = 3;

test("frame times at 200 requests a second with 10,000 rows are reported", async () => {
  await using sandbox = await createSandbox({ seed: 1, accounts: [{ balance: "100000000", callbacks: { airtime: "kredo:sink" } }] });
  await sendMany(sandbox, 10_000);
  await using visitor = await welcomeVisitor(sandbox.url);
  const reports: string[] = [];

  for (const panel of ["transactions", "callbacks", "wallet"]) {
    await visitor.visit(panel);
    await patientExpect(visitor.page.getByRole("rowgroup").getByRole("row").nth(5)).toBeVisible({ timeout: 60_000 });
    reports.push(`${panel.padEnd(14)} ${await measure(visitor.page, () => sendSteadily(sandbox))}`);
  }

  console.log(reports.join("\n"));
  expect(reports).toHaveLength(3);
});

/** Wall time between frames, and the main thread's time for each redraw, in milliseconds. */
async function measure(page: Page, traffic: () => Promise<void>): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.evaluate(() => {
    const frames: number[] = [];
    const seen = { last: performance.now(), isOver: false };
    const next = (now: number): void => {
      frames.push(now - seen.last);
      seen.last = now;
      if (!seen.isOver) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(window, { kredoFrames: frames, seen });
  });
  const before = await busyTime(session);
  await traffic();
  const busy = (await busyTime(session)) - before;
  const frames: number[] = await page.evaluate(() => {
    Reflect.get(window, "seen").isOver = true;
    return Reflect.get(window, "kredoFrames");
  });
  const sorted = frames.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `frames ${frames.length}, median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms; busy ${((100 * busy) / SECONDS).toFixed(0)} % of the time`;
}

async function busyTime(session: Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

/** Twenty times a second a twentieth of it. */
async function sendSteadily(sandbox: Sandbox): Promise<void> {
  for (let batch = 0; batch < 20 * SECONDS; batch += 1) {
    await Promise.all([sendMany(sandbox, PER_SECOND / 20), pause(50)]);
  }
}
