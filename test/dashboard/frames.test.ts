import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { sendMany } from "./traffic.ts";
import { expect as patientExpect, welcomeVisitor } from "./visitor.ts";

/** At ten redraws a second, 200 requests a second. */
const PER_REDRAW = 20;
const REDRAWS = 20;

const LISTS = [
  ["requests", "Requests"],
  ["account", "Entries"],
] as const;

test("what a frame costs at 200 requests a second with 2,500 orders is reported", { timeout: 600_000 }, async () => {
  await using sandbox = await createSandbox({
    seed: 1,
    accounts: [{ balance: "100000000", callbacks: { airtime: "kredo:sink" } }],
  });
  await sendMany(sandbox, 2_500);
  await using visitor = await welcomeVisitor(sandbox.url);
  const reports: string[] = [];

  for (const [view, rows] of LISTS) {
    await visitor.visit(view);
    await patientExpect(visitor.page.getByRole("rowgroup", { name: rows }).getByRole("row").nth(5)).toBeVisible({
      timeout: 120_000,
    });
    reports.push(`${view.padEnd(14)} ${await measure(visitor.page, () => sendForEachRedraw(sandbox, visitor.page))}`);
  }

  console.log(reports.join("\n"));
  expect(reports).toHaveLength(2);
});

/** Sends what comes between two redraws, and waits for the next one. */
async function sendForEachRedraw(sandbox: Sandbox, page: Page): Promise<void> {
  const balance = page.getByRole("banner").getByTitle("Available balance").locator("strong");
  const drawn = await balance.evaluateHandle((strong) => {
    const counter = { draws: 0, tell: (): void => undefined };
    new MutationObserver(() => {
      counter.draws += 1;
      counter.tell();
    }).observe(strong, { characterData: true, childList: true, subtree: true });
    return counter;
  });
  for (let redraw = 0; redraw < REDRAWS; redraw += 1) {
    const before = await drawn.evaluate(({ draws }) => draws);
    await sendMany(sandbox, PER_REDRAW);
    await drawn.evaluate(
      (counter, before) =>
        counter.draws > before ? undefined : new Promise<void>((resolve) => void (counter.tell = resolve)),
      before,
    );
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread in microseconds: what a busy machine does not lengthen. */
  readonly tdur?: number;
}

/** The processor time of the main thread in each task that draws a frame, from its animation callbacks to its layout and paint. */
async function measure(page: Page, traffic: () => Promise<void>): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  // Of the protocol's types, an event of a trace is any object.
  session.on("Tracing.dataCollected", ({ value }) => events.push(...JSON.parse(JSON.stringify(value))));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"] },
    transferMode: "ReportEvents",
  });
  await traffic();
  await endTracing(session);
  const frames = frameCosts(events).toSorted((one, other) => one - other);
  const at = (share: number): string => (frames[Math.floor((frames.length - 1) * share)] ?? 0).toFixed(1);
  return `${frames.length} frames that run code: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`;
}

async function endTracing(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
}

function frameCosts(events: readonly TraceEvent[]): number[] {
  const drawn = events.filter(({ name }) => name === "FireAnimationFrame");
  return events
    .filter((task) => task.name === "ThreadControllerImpl::RunTask" || task.name === "RunTask")
    .filter((task) => drawn.some((frame) => isWithin(frame, task)))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

function isWithin(event: TraceEvent, task: TraceEvent): boolean {
  return (
    event.pid === task.pid && event.tid === task.tid && event.ts >= task.ts && event.ts < task.ts + (task.dur ?? 0)
  );
}
