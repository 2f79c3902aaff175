import type { Locator, Page } from "@playwright/test";
import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

const MISTAKEN = `version: 1
name: slow
rules:
  - name: slow acknowledgments
    when: { operation: airtime }
    then: { ack: { dealy: 2s } }
`;

test("a mistake in a pasted scenario is shown at its line, and the scenario starts once it is fixed", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 422/);
  const { page } = session;
  await session.visit("failures/editor");
  const editor = page.getByRole("textbox", { name: /scenario/i });

  await editor.fill(MISTAKEN);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.getByRole("status").getByText("1 mistake: fix it to start")).toBeVisible();
  await expect(page.getByRole("list", { name: "Mistakes" }).getByRole("listitem")).toHaveText(/^6:20.*dealy.*delay/s);
  await expect(editor).toBeFocused();
  await editor.fill(MISTAKEN.replace("dealy", "delay"));
  await page.keyboard.press("ControlOrMeta+Enter");
  await lineOf(page, "slow").locator("summary").click();

  await expect(page.getByRole("switch", { name: "slow acknowledgments" })).toBeChecked();
});

test("a shipped scenario is found and started, and its line counts what its rules did and leads to those requests", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("failures");
  const fill = page.getByLabel("Search the library");

  await fill.fill("until the gateway recovers");
  await page.getByRole("button", { name: "Start: flaky-500s-that-recover" }).click();
  const line = lineOf(page, "flaky-500s-that-recover");
  await expect(line).toContainText("not fired yet");
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254712345678", "50");
  await line.getByRole("link", { name: "fired 2×" }).click();

  await expect(page.getByRole("rowgroup", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});

test("a fault of the next request is a line until it has met it, although it was started elsewhere and still runs", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(ONE_REFUSAL);
  await session.visit("failures");
  const line = lineOf(page, "refused-429");
  await expect(line).toContainText("Next request: refused 429");
  await expect(line.getByRole("button", { name: "Cancel: refused-429" })).toBeVisible();

  await sendAirtime(sandbox, "254712345678", "100");

  await expect(line).toBeHidden();
  expect((await sandbox.scenarios()).map(({ name }) => name)).toContain("refused-429");
});

test("a fault of some requests to one number says so, and is cancelled in its line", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  const name = "callback-dropped-to-254733456789";
  const when = { first: 3, phone_number: "254733456789" };
  await sandbox.scenario({
    version: 1,
    name,
    rules: [{ name: "no callback", when, then: { callback: { drop: true } } }],
  });
  await session.visit("failures");
  await expect(lineOf(page, name)).toContainText("Next 3 requests to 254733456789: no callback");

  await page.getByRole("button", { name: `Cancel: ${name}` }).click();

  await expect(lineOf(page, name)).toBeHidden();
  expect((await sandbox.scenarios()).map((one) => one.name)).toEqual(["magic-numbers"]);
});

test.for([
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const)(
  "at %d pixels the end of each of eight scenarios is in view, wherever the library is scrolled to",
  async ([width, height]) => {
    await using session = await openDashboard({ scenarios: EIGHT }, { viewport: { width, height } });
    const { page } = session;
    await session.visit("failures");
    const ends = page.getByRole("region", { name: "Active scenarios" }).getByRole("button", { name: /^End: / });
    await expect(ends).toHaveCount(8);

    const atTop = await countInView(ends);
    await page.getByRole("button", { name: "Start: credentials-revoked-throughout" }).scrollIntoViewIfNeeded();
    const atBottom = await countInView(ends);

    expect({ atTop, atBottom }).toEqual({ atTop: 8, atBottom: 8 });
    expect(await findOverflow(page)).toEqual([]);
  },
);

test.for([1440, 1024, 390])("at %d pixels *Start* stays under the hand that starts something", async (width) => {
  await using session = await openDashboard({}, { viewport: { width, height: 800 } });
  const { page } = session;
  await session.visit("failures?text=never");
  const start = page.getByRole("button", { name: /^Start.*: callback-never$/ });
  const before = await start.boundingBox();

  await start.click();
  await expect(lineOf(page, "callback-never")).toBeVisible();
  await expect(start).toHaveText("Start again");
  const after = await start.boundingBox();

  expect(Math.abs((after?.y ?? Infinity) - (before?.y ?? 0))).toBeLessThan(1);
  expect(edgeOf(after)).toBe(edgeOf(before));
});

test("what runs is ended and started again in the library, too", async () => {
  await using session = await openDashboard({ scenarios: ["callback-never"] });
  const { page, sandbox } = session;
  await session.visit("failures");
  const row = page.getByRole("list", { name: "Scenarios", exact: true }).getByRole("listitem");
  const never = row.filter({ hasText: "callback-never" });
  await expect(never.getByRole("button", { name: "Start again: callback-never" })).toBeVisible();

  await never.getByRole("button", { name: "End: callback-never" }).click();

  await expect(never.getByRole("button")).toHaveText(["Start"]);
  expect((await sandbox.scenarios()).map(({ name }) => name)).toEqual(["magic-numbers"]);
});

test.for([
  ["no callback ever comes", ["callback-never"]],
  ["254700000602", ["reset-after-accept"]],
  ["answer lost", ["reset-after-accept"]],
  ["wrong_content_type", ["failure-wrong-content-type", "callback-wrong-content-type"]],
  ["revoked beginning", ["credentials-revoked-throughout"]],
] as const)("one search finds scenarios and faults by what happens: %s", async ([text, names]) => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit(`failures?text=${encodeURIComponent(text)}`);

  const found = page.getByRole("region", { name: "Library" }).locator("summary > :first-child");

  await expect(found).toHaveText(names);
});

test("a search that finds nothing says so, once", async () => {
  await using session = await openDashboard();
  await session.visit("failures?text=zebra");

  const library = session.page.getByRole("region", { name: "Library" });

  await expect(library.getByText("Nothing contains all of these words.")).toBeVisible();
  await expect(library.getByRole("heading")).toHaveText(["Library"]);
});

test("on a telephone an opened scenario fits, with switches that a finger can hit", async () => {
  await using session = await openDashboard(
    { scenarios: ["magic-numbers"] },
    { viewport: { width: 390, height: 844 } },
  );
  const { page } = session;
  await session.visit("failures");

  await lineOf(page, "magic-numbers").locator("summary").click();
  const rule = await page.getByRole("switch", { name: "refused-401" }).boundingBox();

  expect(Math.min(rule?.width ?? 0, rule?.height ?? 0)).toBeGreaterThanOrEqual(24);
  expect(await findObstacles(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
});

test("without an active scenario, the page says that nothing goes wrong", async () => {
  await using session = await openDashboard({ scenarios: [] });
  await session.visit("failures");

  await expect(session.page.getByText("None: nothing goes wrong.")).toBeVisible();
});

test("a rule that is switched off stays off for another reader, too", async () => {
  await using session = await openDashboard({ scenarios: ["callback-never"] });
  const second = await session.context.newPage();
  await session.visit("failures");
  await second.goto(session.page.url());
  await lineOf(session.page, "callback-never").locator("summary").click();
  await lineOf(second, "callback-never").locator("summary").click();
  const rule = session.page.getByRole("switch").first();
  await expect(rule).toBeChecked();

  await rule.press("Space");

  await expect(second.getByRole("switch").first()).not.toBeChecked();
  await expect(rule).not.toBeChecked();
});

test("an example takes the place of the draft, which undoing brings back", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("failures/editor");
  const editor = page.getByRole("textbox", { name: /scenario/i });
  await editor.fill(MISTAKEN);

  await page.getByRole("button", { name: "Replace with example" }).click();
  await expect(editor).toHaveValue(/name: my-scenario/);
  await page.keyboard.press("ControlOrMeta+z");

  await expect(editor).toHaveValue(MISTAKEN);
});

test("a mistake that is out of sight is shown, selected", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("failures/editor");
  const editor = page.getByRole("textbox", { name: /scenario/i });
  await editor.fill(MISTAKEN.replace("rules:", `${"# far below\n".repeat(200)}rules:`));
  await editor.evaluate((field) => field.scrollTo(0, 0));

  await page.getByRole("button", { name: "206:20" }).click();

  expect(await editor.evaluate(() => document.getSelection()?.toString())).toBe("dealy");
  expect(await editor.evaluate((field) => field.scrollTop)).toBeGreaterThan(0);
});

test("the result of a check that arrives while one keeps typing is not shown", async () => {
  await using session = await openDashboard();
  const { page } = session;
  const checkOfFirstDraft = page.waitForResponse(/dry_run/);
  await session.visit("failures/editor");
  const editor = page.getByRole("textbox", { name: /scenario/i });
  await checkOfFirstDraft;
  const check = await page.evaluateHandle(() => {
    const held = { answer: undefined as undefined | ((answer: Response) => void) };
    const fetch = window.fetch.bind(window);
    window.fetch = (request, init) =>
      request instanceof Request && request.url.includes("dry_run")
        ? new Promise((resolve) => void (held.answer = resolve))
        : fetch(request, init);
    return held;
  });
  await editor.fill(MISTAKEN);
  await expect.poll(() => check.evaluate(({ answer }) => answer !== undefined)).toBe(true);

  const found = {
    problems: [{ line: 6, column: 20, problem: "is not a key", repair: "remove it" }],
    changes: [],
  };
  await check.evaluate(async ({ answer }, body) => {
    document.execCommand("insertText", false, "#");
    // Before the answer, a browser runs what the page has promised meanwhile.
    await Promise.resolve();
    answer?.(Object.assign(new Response(), { text: () => Promise.resolve(body) }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, JSON.stringify(found));

  await expect(editor).toHaveValue(/#/);
  await expect(page.getByRole("list", { name: "Mistakes" })).toBeHidden();
});

test("the draft is checked while one types, and says what it would change", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("failures/editor");
  const editor = page.getByRole("textbox", { name: /scenario/i });

  await editor.fill(MISTAKEN);
  await expect(page.getByRole("list", { name: "Mistakes" }).getByRole("listitem")).toHaveText(/^6:20.*dealy.*delay/s);
  await editor.fill(
    MISTAKEN.replace("dealy", "delay").replace("rules:", 'setup: { wallet: { balance: "1.00" } }\nrules:'),
  );
  await expect(page.getByRole("list", { name: "Mistakes" })).toBeHidden();
  const preview = page.getByRole("region", { name: "What starting it would do" });
  await expect(preview).toContainText("wallet.balance: 10,000.00 becomes 1.00");
  await page.getByRole("button", { name: "Start", exact: true }).click();

  await expect(lineOf(page, "slow")).toBeVisible();
  expect((await sandbox.wallet.read()).available).toBe(1);
});

const POOR = `version: 1
name: poor
setup: { wallet: { balance: "1.00" } }
rules:
  - name: late
    when: { operation: airtime }
    then: { ack: { delay: 2s } }
`;

test("ending a scenario says what that restores", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(POOR.replace("wallet:", "rate_limit: { requests: 3, per: 1s }, wallet:"));
  await session.visit("failures");

  await page.getByRole("button", { name: "End: poor" }).click();
  const question = page.getByRole("dialog", { name: "End poor?" });
  await expect(question).toContainText("rate_limit: 3 per 1s becomes none");
  await question.getByRole("button", { name: "End", exact: true }).click();

  await expect(lineOf(page, "poor")).toBeHidden();
  expect((await sandbox.wallet.read()).available).toBe(1);
});

test("a timeline says what each step changes, and ending all scenarios what that restores", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario("version: 1\nname: outage\ntimeline:\n  - { at: 0s, do: { carrier: { airtel: down } } }\n");
  await session.visit("failures");

  await lineOf(page, "outage").locator("summary").click();
  await expect(page.getByRole("list", { name: "Timeline of outage" })).toContainText("carrier: { airtel: down }");
  await page.getByRole("button", { name: /^End all/ }).click();
  const question = page.getByRole("dialog", { name: "End all scenarios?" });
  await expect(question).toContainText("carrier.airtel: down becomes up");
});

test("a running scenario is edited, and replacing it leaves the account as it is", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(POOR);
  await sandbox.wallet.set("50.00");
  await session.visit("failures");

  await lineOf(page, "poor").locator("summary").click();
  await page.getByRole("button", { name: "Edit poor" }).click();
  const editor = page.getByRole("textbox", { name: /scenario/i });
  await expect(editor).toHaveValue(/delay: 2s/);
  await editor.fill(POOR.replace("name: late", "name: later"));
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await lineOf(page, "poor").locator("summary").click();

  await expect(page.getByRole("switch", { name: "later" })).toBeChecked();
  expect((await sandbox.wallet.read()).available).toBe(50);
});

test("a shipped scenario says what starting it would change, and can be left alone", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("failures");

  await page.getByRole("button", { name: "Start: wallet-runs-dry" }).click();
  const question = page.getByRole("dialog", { name: "Start wallet-runs-dry?" });
  await expect(question).toContainText(/wallet\.balance: 10,000\.00 becomes \d/);
  await question.getByRole("button", { name: "Cancel" }).click();
  const untouched = await sandbox.scenarios();
  await page.getByRole("button", { name: "Start: wallet-runs-dry" }).click();
  await question.getByRole("button", { name: "Start", exact: true }).click();

  await expect(lineOf(page, "wallet-runs-dry")).toBeVisible();
  expect(untouched.map(({ name }) => name)).toEqual(["magic-numbers"]);
});

test("two clicks from Requests make the next request fail, and the library names the number that does the same", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await page.getByRole("link", { name: "Failures" }).click();
  await page.getByRole("button", { name: "Fail next request: refused-429" }).click();
  await expect(lineOf(page, "refused-429")).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "100");

  await expect.poll(async () => (await sandbox.requests.list()).map((one) => one.status_code)).toEqual([429]);
  await expect(page.getByRole("listitem").filter({ hasText: /^reset-after-accept / })).toContainText("254700000602");
});

test("the text of a shipped scenario is shown, and opened in the editor", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit("failures");

  await page.getByRole("listitem").getByText("bad-afternoon", { exact: true }).click();
  await page.getByRole("button", { name: "Edit a copy of bad-afternoon" }).click();

  await expect(page.getByRole("textbox", { name: /scenario/i })).toHaveValue(/name: bad-afternoon/);
});

const ONE_REFUSAL = {
  version: 1,
  name: "refused-429",
  rules: [{ name: "refused", when: { first: 1 }, then: { refuse: 429 } }],
} as const;

const EIGHT = [
  "sms-rejected-by-one-carrier",
  "magic-numbers",
  "duplicate-callbacks",
  "slow-acknowledgments",
  "carrier-outage-with-backlog-burst",
  "happy-path",
  "rate-limited",
  "callback-never",
];

function lineOf(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

/** How many can be clicked without scrolling: nothing lies over their middle. */
function countInView(buttons: Locator): Promise<number> {
  return buttons.evaluateAll(
    (all) =>
      all.filter((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }).length,
  );
}

function edgeOf(box: { readonly x: number; readonly width: number } | null): number {
  return Math.round((box?.x ?? 0) + (box?.width ?? 0));
}
