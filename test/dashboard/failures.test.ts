import { test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";
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

  await expect(page.getByRole("switch", { name: "slow acknowledgments" })).toBeChecked();
});

test("a shipped scenario is found and started, and fires", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("failures");

  await page.getByLabel("Search the library").fill("flaky");
  await page.getByRole("button", { name: "Start: flaky-500s-that-recover" }).click();
  const card = page.getByRole("article", { name: "flaky-500s-that-recover" });
  await expect(card).toBeVisible();
  await sendAirtime(sandbox, "254712345678", "100");

  await expect(card.getByRole("link", { name: "fired 1×" })).toBeVisible();
});

test("a rule that is switched off stays off for another reader, too", async () => {
  await using session = await openDashboard({ scenarios: ["callback-never"] });
  const second = await session.context.newPage();
  await session.visit("failures");
  await second.goto(session.page.url());
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

  await expect(page.getByRole("article", { name: "slow" })).toBeVisible();
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

  await expect(page.getByRole("article", { name: "poor" })).toBeHidden();
  expect((await sandbox.wallet.read()).available).toBe(1);
});

test("a timeline says what each step changes, and ending all scenarios what that restores", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario("version: 1\nname: outage\ntimeline:\n  - { at: 0s, do: { carrier: { airtel: down } } }\n");
  await session.visit("failures");

  await expect(page.getByRole("article", { name: "outage" })).toContainText("carrier: { airtel: down }");
  await page.getByRole("button", { name: /^End all/ }).click();
  const question = page.getByRole("dialog", { name: "End all scenarios?" });
  await expect(question).toContainText("Ending them restores what they replaced:");
  await expect(question).toContainText("carrier.airtel: down becomes up");
});

test("a running scenario is edited, and replacing it leaves the account as it is", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(POOR);
  await sandbox.wallet.set("50.00");
  await session.visit("failures");

  await page.getByRole("button", { name: "Edit poor" }).click();
  const editor = page.getByRole("textbox", { name: /scenario/i });
  await expect(editor).toHaveValue(/delay: 2s/);
  await editor.fill(POOR.replace("name: late", "name: later"));
  await page.getByRole("button", { name: "Replace", exact: true }).click();

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

  await expect(page.getByRole("article", { name: "wallet-runs-dry" })).toBeVisible();
  expect(untouched.map(({ name }) => name)).toEqual(["magic-numbers"]);
});

test("two clicks from Requests make the next request fail, and the library names the number that does the same", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();

  await page.getByRole("link", { name: "Failures" }).click();
  await page.getByRole("button", { name: "Fail next request: refused-429" }).click();
  await expect(page.getByRole("article", { name: "refused-429" })).toBeVisible();
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
