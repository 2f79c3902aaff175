import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Route } from "@playwright/test";
import { test } from "vitest";
import { EXPLORATION } from "../../scripts/api-examples.ts";
import { MUTANTS } from "../backends/shops/mutants.ts";
import { SOUND_SHOPS } from "../backends/shops/sound-shops.ts";
import { atFirstSight } from "./at-first-sight.ts";
import { startCuttableProxy } from "./cuttable-proxy.ts";
import { openDashboard } from "./dashboard-session.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { paste } from "./shell-commands.ts";
import { sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

const KREDO = new URL("../../dist/kredo.js", import.meta.url).pathname;
const DEFECT = "sends again after silence";
const FAULTS = ["refused-422", "reset-after-accept", "callback-twice-at-once"];
/** The baseline has three. */
const FREE_ORDERS = 5;
/** Runs of an application take wall time, on a busy machine much of it. */
const PATIENTLY = { timeout: 200_000 };

test("the matrix grows while kredo explore runs, and a cell opens its exchanges", { timeout: 500_000 }, async () => {
  await using session = await openDashboard({ clock: "real" });
  const { page, sandbox } = session;
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS[MUTANTS[DEFECT].shop]({ gateway, key, secret, defect: DEFECT });
  let orders = 0;
  await using road = await startCuttableProxy(shop.url, ({ method, url = "" }) => {
    orders += Number(method === "POST" && url.startsWith("/orders/"));
    return orders > FREE_ORDERS;
  });
  const folder = mkdtempSync(join(tmpdir(), "kredo-explored-"));
  writeFileSync(join(folder, "kredo.app.yaml"), shop.appMap.replaceAll(shop.url, road.url));
  const matrix = page.getByRole("table", { name: /^Matrix/ });
  const sold = matrix.getByRole("link", {
    name: "Defect: the connection is reset, and the order is accepted, 1st airtime request",
  });
  await session.visit("verdict");
  const command = await page.getByText(/^npx kredo explore/).innerText();

  const flags = FAULTS.map((fault) => `--fault ${fault}`).join(" ");
  const exploring = paste(
    `cd '${folder}' && ${command.replace("npx kredo", `'${process.execPath}' '${KREDO}'`)} ${flags}`,
  );
  await expect(page.getByRole("progressbar", { name: "Explored so far" })).toBeVisible(PATIENTLY);
  await session.visit("requests");
  await expect(page.getByText(/^kredo explore uses this account\. Exploring: \d+ of 6 faults tried/)).toBeVisible();
  await page.getByRole("link", { name: "Show the matrix" }).click();
  road.release();

  await expect(page.getByRole("status").getByText(/^1 defect\. Explored: 6 of 6 faults tried\.$/)).toBeVisible(
    PATIENTLY,
  );
  await exploring;
  await expect(page.getByRole("article", { name: /it is sold more than once/ })).toContainText(
    /npx kredo rehearse \S+1-reset-after-accept.yaml/,
  );
  await sold.click();
  const cell = page.getByRole("region", { name: "airtime: the connection is reset, and the order is accepted" });
  await expect(cell).toContainText("the gateway got 2 requests, accepted 2 and delivered 2");
  const requests = cell
    .getByRole("list", { name: "Exchanges" })
    .getByRole("listitem")
    .filter({ hasText: "POST /api/v2/airtime" });
  await expect(requests).toHaveCount(2);
  await requests.first().getByText("Raw exchange").click();
  await expect(requests.first().getByRole("region", { name: "Request" })).toContainText('"amount"');
  await page.keyboard.press("Escape");
  await expect(cell).toBeHidden();
});

const LOST_ACKNOWLEDGMENT = "254700000602";

test("an order that was sold twice appears live, with its two truths and the requests that prove it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("verdict");
  await expect(page.getByRole("heading", { name: "No orders seen yet." })).toBeVisible();

  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");

  const proofs = page.getByRole("list", { name: "Exchanges that prove it" }).first().getByRole("link");
  await expect(proofs).toHaveCount(2);
  await expect(page.getByRole("article").first().getByText("Your backend knows: nothing.")).toHaveCount(1);
  await expect(page.getByRole("article").first()).toContainText("How to fix it");
  await expect(page.getByRole("link", { name: /^Verdict 1 (defect|risk)$/ })).toBeVisible();
  await proofs.first().click();
  await expect(page.getByRole("region", { name: "Airtime to +254 700 000 602" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Request" }).getByText('"amount": "50"')).toBeInViewport();
});

test("before anything was explored it says what traffic showed, without Kredo's own orders, and what was not looked at", async () => {
  await using session = await openDashboard({
    accounts: [{ callbacks: { airtime: "kredo:sink", sms: "kredo:sink" } }],
  });
  const { page, sandbox } = session;
  await session.visit("verdict");
  await expect(page.getByRole("heading", { name: "No orders seen yet." })).toBeVisible();

  await sendAirtime(sandbox, "254712345678", "50");
  await sendSms(sandbox, "254712345678", "Karibu");
  await sandbox.fetch("/api/v2/airtime", {
    method: "POST",
    headers: { "content-type": "application/json", "x-kredo-command": "page" },
    body: JSON.stringify({ phone_number: "254712345679", amount: "70" }),
  });
  await sandbox.clock.advance("5m");

  const traffic = page.getByRole("heading", {
    name: /^2 orders, 2 callbacks: nothing wrong seen\. 1 order of Kredo's own/,
  });
  await expect(traffic).toBeVisible();
  await expect(page.getByText("npx kredo init --app")).toBeInViewport();
  await expect(page.getByText(/^npx kredo explore --url/)).toBeInViewport();
  expect((await boxOf(page.getByRole("region", { name: /^Not looked at/ }))).x).toBe((await boxOf(traffic)).x);
});

test("from a defect to the bytes of a request that proves it is one click, and nothing moves but what it opens", async () => {
  await using session = await openDashboard({}, { viewport: { width: 1440, height: 900 } });
  const { page, sandbox } = session;
  const first = await sendAirtime(sandbox, "254712345678", "50");
  const proving = [REQUEST, { ...REQUEST, request_id: first, outcome: "500 refused" }];
  const [problem] = EXPLORATION_OVER.problems;
  const [trial] = EXPLORATION_OVER.trials;
  await putExploration(sandbox.url, {
    problems: [{ ...problem, exchanges: proving }],
    trials: [{ ...trial, exchanges: [CALLBACK, ...proving] }],
  });
  await session.visit("verdict");
  const proof = page.getByRole("list", { name: "Exchanges that prove it" }).getByRole("link").last();
  const before = await boxOf(proof);

  await proof.click();

  await expect(page.getByRole("region", { name: "Request" }).getByText('"amount": "50"')).toBeInViewport();
  expect(await boxOf(proof)).toEqual(before);
  await page.keyboard.press("Escape");
  await expect(proof).toBeFocused();
});

test("a cell of the matrix stays where it is when its trial opens, and the severity that is listed stays chosen", async () => {
  await using session = await openDashboard({}, { viewport: { width: 1440, height: 900 } });
  const { page } = session;
  await putExploration(session.sandbox.url);
  await session.visit("verdict");
  const cell = page.getByRole("link", { name: /^Defect: / });
  const hints = page.getByRole("button", { name: /^Hints/ });
  await hints.click();
  const before = await boxOf(cell);

  await cell.click();

  await expect(page.getByRole("region", { name: "Trial" })).toBeVisible();
  expect(await boxOf(cell)).toEqual(before);
  await page.keyboard.press("Escape");
  await expect(cell).toBeFocused();
  await expect(hints).toHaveAttribute("aria-pressed", "true");
});

test("an order that the gateway lied about is open because of that, and not because nobody could know", async () => {
  await using session = await openDashboard();
  const [trial] = EXPLORATION_OVER.trials;
  const lie = "the gateway accepted it and answered with a refusal (429), so sending it again is right";
  const misled = { ...VERDICT, is: "open", id: "misled", seen: lie };
  await putExploration(session.sandbox.url, {
    problems: [],
    trials: [{ ...trial, verdict: "open", verdicts: [misled] }],
  });
  await session.visit("verdict");
  const { page } = session;

  await expect(page.getByText(`Open: 1 order, because ${lie}.`)).toBeVisible();
  await page.getByRole("link", { name: /^Correct: left open for review: / }).click();

  await expect(page.getByRole("region", { name: "Trial" })).toContainText(lie);
  await expect(page.getByText(/nobody could know/)).toHaveCount(0);
});

test("the headline of an exploration that runs counts what is listed below it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  const started_at = new Date().toISOString();
  await putExploration(sandbox.url, { started_at, is_over: false, summary: "No defect", problems: [] });

  await session.visit("verdict");

  await expect(page.getByRole("button", { name: /^Defects 1$/ })).toBeVisible();
  await expect(page.getByRole("status").getByText(/So far: 1 defect\.$/)).toBeVisible();
  const before = await boxOf(page.getByRole("article").first());
  await putExploration(sandbox.url, {
    started_at,
    is_over: false,
    doing: "12 orders at once ".repeat(20),
    problems: [],
  });
  await expect(page.getByText("Now: 12 orders at once")).toBeVisible();
  expect(await boxOf(page.getByRole("article").first())).toEqual(before);
  await putExploration(sandbox.url, { started_at, summary: "No defect", problems: [] });
  await expect(page.getByRole("status").getByText(/^No defect; seen live: 1 defect\. Explored:/)).toBeVisible();
});

test("the headline keeps its place before an exploration, from its first moment, and after it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  const started_at = new Date().toISOString();
  const headline = page.getByRole("region", { name: "Verdict" }).getByRole("heading", { level: 2 });
  await session.visit("verdict");
  await expect(headline).toHaveText("No orders seen yet.");
  const before = await boxOf(headline);

  const nothing = { problems: [], trials: [], matrix: { points: [], rows: [] } };
  await putExploration(sandbox.url, { started_at, is_over: false, doing: "an order", ...nothing });
  await expect(headline).toContainText("So far: no defect.");
  const first = await boxOf(headline);
  await putExploration(sandbox.url, { started_at });
  await expect(headline).toContainText("Explored:");

  expect({ first, after: await boxOf(headline) }).toEqual({ first: before, after: before });
});

test("what was seen live and by the exploration is one line, and stays after a reload and a reset", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  await sendAirtime(sandbox, LOST_ACKNOWLEDGMENT, "50").catch(() => "lost");
  await putExploration(sandbox.url);
  // No request of this exploration was ever sent.
  session.expectBreach(/404/);
  await session.visit("verdict");
  const problem = page.getByRole("article", { name: /One order was sold twice/ });

  await expect(problem).toContainText("Seen live once");
  await expect(page.getByRole("article")).toHaveCount(2);
  await sandbox.reset();
  await page.reload();

  await expect(problem).toContainText("Your backend says: failed. The customer got: KES 100.00. You paid: KES 95.00.");
  await expect(problem).not.toContainText("Seen live");
  await expect(problem).toContainText("npx kredo rehearse sold-twice.yaml");
  await problem.getByRole("link", { name: "POST /api/v2/airtime 254712345678 KES 50" }).click();
  await expect(page.getByRole("region", { name: "airtime: the connection is reset" })).toContainText("2 delivered");
});

test("an opened trial stays in view, however far down its cell stands", async () => {
  await using session = await openDashboard({}, { viewport: { width: 1024, height: 420 } });
  const { page } = session;
  await putExploration(session.sandbox.url);
  await session.visit("verdict");

  await page
    .getByRole("table", { name: /^Matrix/ })
    .getByRole("link")
    .last()
    .click();

  await expect(page.getByRole("button", { name: "Close" })).toBeInViewport({ ratio: 1 });
});

test("the problems do not move when the report above them is loaded", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await putExploration(sandbox.url);
  const held = new Promise<Route>((resolve) => void page.route(/\/accounts\/[^/]*\/exploration$/, resolve));
  const findings = page.waitForResponse(/\/accounts\/[^/]*\/findings\?/);
  await session.visit("verdict");

  const route = await held;
  await (await findings).finished();
  await expect(page.getByRole("main").getByText("Loading…")).toBeVisible();
  await route.continue();

  await expect(page.getByRole("table", { name: /^Matrix/ })).toBeVisible();
});

test("problems are listed by severity, worst first, and pills without any are left out", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await putExploration(sandbox.url);
  await session.visit("verdict");
  const pills = page.getByRole("group", { name: "Severity" }).getByRole("button");

  await expect(pills).toHaveText([/^All/, /^Defects/, /^Hints/]);
  await pills.last().click();

  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText("The receiver is slow.");
});

test("a finished exploration has no axe violation, fits a phone, and is navigated by keys", async () => {
  await using session = await openDashboard({}, { viewport: { width: 360, height: 740 } });
  const { page, sandbox } = session;
  await putExploration(sandbox.url);
  await session.visit("verdict");
  const cells = page.getByRole("table", { name: /^Matrix/ }).getByRole("link");
  await expect(cells).toHaveCount(3);
  await expect(page.getByText("Not looked at: restarts (no restart in the map), books (no books).")).toBeVisible();
  await expect(page.getByText("Not assessed: 1 (the fault did not happen)")).toBeVisible();

  const matrix = [await findObstacles(page), await findOverflow(page)];
  await cells.first().focus();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "airtime: the callback is never sent" })).toContainText(
    "no such table: orders",
  );
  const opened = [await findObstacles(page), await findOverflow(page)];

  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: /^Not assessed/ })).toBeFocused();

  expect({ matrix, opened }).toEqual({ matrix: [[], []], opened: [[], []] });
});

test.for([1440, 1024, 768, 390])("long words and a wide matrix make no page of %i px wider", async (width) => {
  await using session = await openDashboard({}, { viewport: { width, height: 800 } });
  const { page, sandbox } = session;
  // No request of this exploration was ever sent.
  session.expectBreach(/404/);
  const points = Array.from({ length: 12 }, (_, index) => `${index + 1}th airtime request`);
  const { problems, matrix, trials } = EXPLORATION_OVER;
  const long = "x".repeat(300);
  await putExploration(sandbox.url, {
    application: `http://${long}.example`,
    problems: problems.map((problem) => ({ ...problem, sentence: long, seen: long })),
    matrix: {
      points,
      rows: matrix.rows.map((row) => ({ ...row, trials: points.map((_, at) => row.trials[at] ?? null) })),
    },
    trials: trials.map((trial) => ({ ...trial, faults: long })),
  });
  await session.visit("verdict");
  await expect(page.getByRole("table", { name: /^Matrix/ })).toBeVisible();

  const view = page.locator(".verdict");
  const closed = [...(await findOverflow(page)), await view.evaluate((one) => one.scrollWidth - one.clientWidth)];
  await page.getByRole("link", { name: "POST /api/v2/airtime 254712345678 KES 50" }).click();
  await expect(page.getByRole("region", { name: "Trial" })).toBeVisible();

  expect({ closed, opened: await findOverflow(page) }).toEqual({ closed: [0], opened: [] });
});

test("a key pressed in the moment in which a cell is closed goes on from it", async () => {
  await using session = await openDashboard();
  await putExploration(session.sandbox.url);
  await session.visit("verdict");
  await expect(session.page.getByRole("table", { name: /^Matrix/ })).toBeVisible();

  await atFirstSight(session.page, { place: "verdict/reset", sight: ".inspector", keys: ["Escape", "ArrowRight"] });

  await expect(session.page.locator(".inspector")).toBeHidden();
  await expect(session.page.getByRole("link", { name: /^Not assessed/ })).toBeFocused();
});

async function boxOf(what: Locator): Promise<{ x: number; y: number }> {
  const { x, y } = (await what.boundingBox()) ?? { x: NaN, y: NaN };
  return { x, y };
}

async function putExploration(url: string, changes: object = {}): Promise<void> {
  await fetch(`${url}/__admin/accounts/default/exploration`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...EXPLORATION_OVER, ...changes }),
  });
}

const AT = "2025-01-06T06:00:00.000Z";
const CELL = { operation: "airtime", verdicts: [], phone_number: "254712345678", exchanges: [], duration_ms: 5 };
const VERDICT = { title: "", count: 1, exchanges: [], follows: [] };
const POINTS = ["1st airtime request", "2nd airtime request"] as const;
const CALLBACK = {
  at: AT,
  kind: "callback",
  request_id: "5a0d7e52-6f4e-4a8e-9a6b-0f1f6f3c2b11",
  attempt: 1,
  title: "callback 1, result 200, to http://127.0.0.1:3000/hooks/airtime/of/a/rather/long/path/that/does/not/fit",
  outcome: "answered 500 in 12 ms",
  tone: "bad",
  answer: "no such table: orders",
};
const REQUEST = {
  at: AT,
  kind: "request",
  request_id: "0b0d7e52-6f4e-4a8e-9a6b-0f1f6f3c2b22",
  title: "POST /api/v2/airtime 254712345678 KES 50",
  outcome: "200 accepted",
  tone: "plain",
};
const RESET = "the connection is reset";
const DROPPED = "the callback is never sent";
const EXPLORATION_OVER = {
  ...EXPLORATION,
  is_over: true,
  summary: "1 defect, 1 hint",
  done: 2,
  total: 2,
  runs: 4,
  not_looked_at: ["restarts (no restart in the map)", "books (no books)"],
  problems: [
    {
      is: "defect",
      id: "sold-twice",
      sentence: "One order was sold twice.",
      seen: "2 delivered",
      truths: { says: "failed", got: "KES 100.00", paid: "KES 95.00" },
      repair: "Send it once.",
      count: 1,
      exchanges: [REQUEST],
      follows: [{ id: "repeated-at-once", is: "risk", seen: "paid for twice" }],
      trials: ["reset"],
      replay: "kredo rehearse sold-twice.yaml",
    },
    {
      is: "hint",
      id: "slow-receiver",
      sentence: "The receiver is slow.",
      seen: "2.4 s",
      count: 1,
      exchanges: [],
      follows: [],
      trials: ["dropped"],
    },
  ],
  matrix: {
    points: POINTS,
    rows: [
      { fault: "reset-after-accept", words: RESET, group: "connection", trials: ["reset", "reset-again"] },
      { fault: "callback-dropped", words: DROPPED, group: "callback", trials: ["dropped", null] },
    ],
  },
  trials: [
    {
      ...CELL,
      id: "reset",
      faults: RESET,
      places: [{ point: POINTS[0], fault: "reset-after-accept" }],
      verdict: "defect",
      verdicts: [{ ...VERDICT, is: "defect", id: "sold-twice", seen: "2 delivered" }],
      exchanges: [REQUEST],
    },
    {
      ...CELL,
      id: "dropped",
      faults: DROPPED,
      places: [{ point: POINTS[0], fault: "callback-dropped" }],
      verdict: "open",
    },
    {
      ...CELL,
      id: "reset-again",
      faults: DROPPED,
      places: [{ point: POINTS[1], fault: "reset-after-accept" }],
      verdict: "not assessed",
      verdicts: [{ ...VERDICT, is: "not assessed", id: "order", seen: "the fault did not happen" }],
      exchanges: [CALLBACK],
    },
  ],
};
