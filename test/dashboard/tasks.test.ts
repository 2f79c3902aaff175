import type { Locator, Page } from "@playwright/test";
import { test } from "vitest";
import { type DashboardSession, openDashboard } from "./dashboard-session.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

/** What somebody wants of the page, from its address alone. */
interface Task {
  readonly wants: string;
  /** The most clicks and keys that it takes. Text is typed into a field in addition. */
  readonly most: number;
  readonly in: (receiver: Receiver) => Promise<DashboardSession>;
  readonly does: (page: Page, session: DashboardSession) => Promise<unknown>;
}

/** One line for each task; what is beyond a line stands below. */
const TASKS: readonly Task[] = [
  {
    wants: "first order sent",
    most: 1,
    in: empty,
    does: async (page) => {
      await button(page, "Send a test order").click();
      await seen(rows(page).first());
    },
  },
  {
    wants: "all lost answers",
    most: 1,
    in: busy,
    does: async (page) => {
      await button(page, /^Lost answer/).click();
      await expect(page).toHaveURL(/problem=lost/);
      await expect(rows(page).first()).toContainText("no answer");
    },
  },
  {
    wants: "why a callback failed",
    most: 0,
    in: busy,
    does: (page) =>
      seen(
        rows(page)
          .getByText(/SQLSTATE\[HY000\]: database is locked/)
          .first(),
      ),
  },
  {
    wants: "a shipped scenario started",
    most: 2,
    in: busy,
    does: async (page) => {
      await view(page, "Failures");
      await button(page, "Start: duplicate-callbacks").click();
      await seen(button(page, "End: duplicate-callbacks").first());
    },
  },
  {
    wants: "it ended",
    most: 2,
    in: busy,
    does: async (page) => {
      await view(page, "Failures");
      await button(page, "End: magic-numbers").first().click();
      await expect(button(page, "End: magic-numbers")).toHaveCount(0);
    },
  },
  {
    wants: "the next request fails",
    most: 2,
    in: busy,
    does: async (page) => {
      await button(page, "Fail next…").click();
      await button(page, "Answer lost").click();
      await seen(button(page, "Cancel answer lost"));
    },
  },
  {
    wants: "the two orders of a double sale",
    most: 0,
    in: busy,
    does: async (page) => {
      const sale = rows(page).filter({ hasText: "sold twice" });
      await seen(sale.first());
      await expect(rows(page).nth((await placeOf(sale)) + 2)).toContainText("71.25");
    },
  },
  {
    wants: "a defect's proof, down to the bytes",
    most: 2,
    in: busy,
    does: async (page) => {
      await view(page, "Verdict");
      await proof(page).click();
      await seen(page.getByText('"phone_number"').first());
    },
  },
  {
    wants: "an order as curl",
    most: 3,
    in: busy,
    does: async (page) => {
      await open(page, "712 345 678");
      await button(page, "Copy…").click();
      await button(page, /curl/i).first().click();
      await clipboardHas(page, "curl 'http");
    },
  },
  {
    wants: "an order as a test",
    most: 3,
    in: busy,
    does: async (page) => {
      await open(page, "712 345 678");
      await button(page, "Copy…").click();
      await button(page, /Vitest/)
        .first()
        .click();
      await clipboardHas(page, 'from "kredo/vitest"');
    },
  },
  {
    wants: "a failed callback resent",
    most: 2,
    in: busy,
    does: async (page, { sandbox }) => {
      await open(page, "712 345 678");
      await page.keyboard.press("r");
      await resent(sandbox, 1);
    },
  },
  {
    wants: "all failed callbacks resent",
    most: 1,
    in: busy,
    does: async (page, { sandbox }) => {
      await button(page, /^Resend .*callbacks$/).click();
      await resent(sandbox, 2);
    },
  },
  {
    wants: "nothing pending",
    most: 1,
    in: busy,
    does: async (page, { sandbox }) => {
      await page.keyboard.press("a");
      await expect.poll(async () => (await sandbox.transactions({ state: "queued" })).length).toBe(0);
    },
  },
  {
    wants: "money in the wallet",
    most: 2,
    in: busy,
    does: async (page, { sandbox }) => {
      await button(page, /^KES/).click();
      await page.getByLabel("Top up, KES").fill("500");
      await button(page, "Top up").click();
      await expect.poll(() => sandbox.wallet.ledger()).toContainEqual(expect.objectContaining({ kind: "top_up" }));
    },
  },
  {
    wants: "a callback URL saved and tested",
    most: 1,
    in: empty,
    does: async (page) => {
      await page.getByRole("textbox", { name: "Callback URL" }).fill("http://127.0.0.1:9/hooks");
      await button(page, "Save and test").first().click();
      await seen(page.getByText("Unreachable").first());
    },
  },
  {
    wants: "an order by a word of its row",
    most: 1,
    in: busy,
    does: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.insertText("pending");
      await expect(rows(page)).toHaveCount(1);
    },
  },
];

test("sixteen things that somebody wants of the page take no more clicks and keys than they may", async () => {
  await using receiver = await startReceiver();
  receiver.answerWith(500);

  const taken: Taken[] = [];
  for (const task of TASKS) taken.push(await take(task, receiver));

  console.table(taken);
  expect(taken.filter(({ problem, clicks, keys, most }) => problem !== "" || clicks + keys > most)).toEqual([]);
}, 400_000);

interface Taken {
  readonly wants: string;
  readonly clicks: number;
  readonly keys: number;
  readonly most: number;
  /** Why it could not be done. */
  readonly problem: string;
}

/** Does a task on a page of its own, and counts the clicks and keys that the browser saw. */
async function take({ wants, most, in: prepare, does }: Task, receiver: Receiver): Promise<Taken> {
  await using session = await prepare(receiver);
  const { page, context } = session;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page.setDefaultTimeout(15_000);
  const counts = { pointerdown: 0, keydown: 0 };
  await page.exposeFunction("countInput", (kind: keyof typeof counts) => void (counts[kind] += 1));
  await page.addInitScript(`for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, ({ isTrusted }) => isTrusted && countInput(kind), true);`);
  await session.visit();
  await expect(rows(page).or(button(page, "Send a test order")).first()).toBeVisible();
  const problem = await Promise.resolve(does(page, session)).then(
    () => "",
    (error: Error) => error.message.split("\n")[0] ?? "failed",
  );
  return { wants, clicks: counts.pointerdown, keys: counts.keydown, most, problem };
}

/** A sandbox that nobody has used. */
function empty(): Promise<DashboardSession> {
  return openDashboard({}, { viewport: { width: 1440, height: 900 } });
}

/** A double sale, a lost answer, two callbacks that the receiver refused with what its framework prints, and an order that is pending. */
async function busy({ url }: Receiver): Promise<DashboardSession> {
  const session = await openDashboard(
    { scenarios: ["magic-numbers"], accounts: [{ callbacks: { airtime: url, sms: url } }] },
    { viewport: { width: 1440, height: 900 } },
  );
  const { sandbox } = session;
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sandbox.clock.advance("5s");
  await sendAirtime(sandbox, "254700000602", "75").catch(() => "");
  await sandbox.clock.advance("2m");
  for (const number of ["254712345678", "254733456789"]) await sendAirtime(sandbox, number, "50");
  await sandbox.clock.advance("2m");
  await sendAirtime(sandbox, "254722345678", "20");
  return session;
}

function rows(page: Page): Locator {
  return page
    .getByRole("table", { name: /^Requests/ })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
}

function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
}

function view(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
}

/** Opens the order to a number. */
function open(page: Page, number: string): Promise<void> {
  return rows(page).filter({ hasText: number }).getByRole("link").first().click();
}

function proof(page: Page): Locator {
  return page.getByRole("list", { name: "Exchanges that prove it" }).getByRole("link").first();
}

function seen(found: Locator): Promise<void> {
  return expect(found).toBeInViewport();
}

async function clipboardHas(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(text);
}

/** Waits until callbacks of so many orders were sent again. */
async function resent({ callbacks }: DashboardSession["sandbox"], orders: number): Promise<void> {
  const again = async (): Promise<number> => (await callbacks.sent()).filter(({ delivery }) => delivery > 1).length;
  await expect.poll(again).toBeGreaterThanOrEqual(orders);
}

/** The place of a row among the others. */
function placeOf(row: Locator): Promise<number> {
  return row.first().evaluate((one) => Number(one.getAttribute("aria-rowindex")) - 2);
}
