import type { Page } from "@playwright/test";
import { expect, test } from "vitest";
import type { GatewayRequest, TransactionJson } from "../../src/control/client/shapes.ts";
import { accountPath, ControlClient } from "../../src/control/client/control-client.ts";
import type { AccountClient } from "../../src/verdict/endpoints/client.ts";
import { type DashboardSession, openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { postTo } from "./traffic.ts";
import { expect as patientExpect } from "./visitor.ts";

/** The magic numbers, except those whose answer comes after 11 s or never. */
const ENDINGS = "401 402 422 429 500 201 202 203 204 301 302 303 305 306 307 309 601 602 603 605".split(" ");

/** More than the page lists. */
const MANY_ORDERS = Array.from({ length: 2_500 }, (_, index) => {
  const ending = ENDINGS[(index / 3) % ENDINGS.length];
  const phone_number = index % 3 === 0 ? `254700000${ending}` : String(254_712_000_000 + (index % 90));
  if (index % 50 === 49) return { operation: "airtime", fields: { phone_number: "2547", amount: "50" } };
  if (index % 5 === 4)
    return { operation: "sms", fields: { phone_number, message: "x".repeat(1 + (index % 400)), sender_id: "SANDBOX" } };
  return { operation: "airtime", fields: { phone_number, amount: String(10 + (index % 4) * 1_215) } };
});

const ORDERS = MANY_ORDERS.slice(0, 500);

test("after 500 mixed orders, every figure on all four views is the control API's", async () => {
  await using receiver = await startReceiver();
  receiver.answerWith(500);
  await using session = await openDashboard({
    scenarios: ["magic-numbers"],
    accounts: [{ balance: "900000", callbacks: { airtime: "kredo:sink", sms: receiver.url } }],
  });
  const { page, sandbox } = session;
  const answers = await Promise.all(ORDERS.map((order) => place(session, order)));
  await sandbox.clock.advance("9m");
  const api = await readApi(session, answers.filter((status) => status === undefined).length);

  await untilRead(session, api.events);
  await session.visit("requests");
  await patientExpect(page.getByRole("searchbox")).toBeVisible();
  const requests = await readRequests(page);
  await session.visit("failures");
  await page.getByRole("article", { name: "magic-numbers" }).locator("summary").click();
  const failures = await readRules(page);
  await session.visit("verdict");
  await patientExpect(page.getByText("Why it matters").first()).toBeVisible();
  const verdict = await readProblems(page);
  await session.visit("account");
  await patientExpect(page.getByRole("table", { name: "Ledger, newest first" })).toBeVisible();
  const account = await readAccount(page);

  expect(requests).toEqual(api.requests);
  expect(failures).toEqual(api.failures);
  expect(verdict).toEqual(api.verdict);
  expect({ ...account, entries: account.entries.length }).toEqual({ ...api.account, entries: account.entries.length });
  expect(account.entries).toEqual(api.account.entries.slice(0, account.entries.length));
});

test("after 2,500 orders, every sum is still the control API's, although the page lists fewer", async () => {
  await using session = await openDashboard({
    scenarios: ["magic-numbers"],
    accounts: [{ balance: "4500000", callbacks: { airtime: "kredo:sink", sms: "kredo:sink" } }],
  });
  const { page, sandbox } = session;
  for (const order of MANY_ORDERS) await place(session, order);
  await sandbox.clock.advance("9m");
  const api = await readApi(session, 0);

  await untilRead(session, api.events);
  await session.visit("requests");
  await patientExpect(page.locator(".requests > footer p")).toContainText("of 2,500 requests");
  const [[balance] = [], atRisk] = await readTexts(page, ["[title='Available balance']", ".at-risk li"]);
  await session.visit("failures");
  await page.getByRole("article", { name: "magic-numbers" }).locator("summary").click();
  const failures = await readRules(page);
  await session.visit("account");
  await patientExpect(page.getByRole("table", { name: "Ledger, newest first" })).toBeVisible();
  const { wallet, journal, total } = await readAccount(page);

  const { requests, account } = api;
  expect({ balance, atRisk, failures }).toEqual({
    balance: requests.balance,
    atRisk: requests.atRisk,
    failures: api.failures,
  });
  expect({ wallet, journal }).toEqual({ wallet: account.wallet, journal: account.journal });
  expect(total).toContain(` of ${account.total}; the oldest `);
  expect(await page.locator(".ledger .virtual [data-label='For']:not(:has(a))").allTextContents()).toEqual([]);
});

/** Until the page has read the journal to its end: the last that changes are the callbacks. */
async function untilRead(session: DashboardSession, events: number): Promise<void> {
  await session.visit("account");
  await patientExpect(session.page.locator("[aria-labelledby='account-journal'] > p")).toContainText(
    `${whole(events)} events`,
    {
      timeout: 60_000,
    },
  );
}

/** Resolves to the status, or to undefined if there was no whole answer. */
async function place({ sandbox }: DashboardSession, { operation, fields }: (typeof ORDERS)[number]) {
  try {
    const answer = await postTo(sandbox, `/api/v2/${operation}`, fields);
    await answer.text();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** What the control API says, in the words of the page. `lost` is how many clients got no whole answer. */
async function readApi({ sandbox }: DashboardSession, lost: number) {
  const client: AccountClient = new ControlClient(
    { url: sandbox.url, send: (request) => fetch(request) },
    accountPath(sandbox.consumerKey),
  );
  const requests = await readAll((page) => client.get(`requests?${page}`));
  const items = await readAll((page) => client.get(`transactions?${page}`));
  const { items: lines } = await client.get("ledger?limit=10000");
  // The page shows the last line of each event: a charge, of a settlement that also releases the hold.
  const ledger = lines.filter(({ number }, index) => number !== lines[index + 1]?.number);
  const { items: findings } = await client.get("findings");
  const account = await client.get("");
  const sold = new Map(items.map((one) => [one.request_id, one]));
  const rows = requests.map((request) => ({ request, sale: sold.get(request.request_id) }));
  const { available, held, ledger: balance } = account.balance;
  return {
    events: account.journal_version,
    requests: readRows(rows, lost, available),
    failures: countOf(requests.flatMap(({ rules = [] }) => rules.map(({ rule }) => rule))),
    verdict: {
      All: new Set(findings.map(({ id }) => id)).size,
      ...countOf(uniqueBy(findings, ({ id }) => id).map(({ severity }) => MANY[severity])),
      seen: findings.map(({ count }) => (count === 1 ? "once" : `${count} times`)).sort(byText),
    },
    account: {
      wallet: [available, held, balance].map((amount) => `KES ${money(amount)}`),
      journal: `${whole(account.journal_version)} events, ${whole(requests.length)} requests, seed ${account.seed}.`,
      total: `${whole(ledger.length)} entries`,
      entries: ledger
        .toReversed()
        .map((entry) => [signed(entry.amount), money(entry.balance), money(entry.available)].join(" ")),
    },
  };
}

/** Reads every page of a list. */
async function readAll<Item>(
  read: (page: string) => Promise<{ items: Item[]; next: string | null }>,
  cursor = "",
): Promise<Item[]> {
  const { items, next } = await read(`limit=1000${cursor}`);
  return next === null ? items : [...items, ...(await readAll(read, `&cursor=${next}`))];
}

const MANY = { defect: "Defects", risk: "Risks", cost: "Costs", hint: "Hints" } as const;

interface Ordered {
  readonly request: GatewayRequest;
  readonly sale: TransactionJson | undefined;
}

/** The rules whose answer no client gets. */
const LOSES = /^(?:reset-before|reset-after|empty-after|truncate-after)-accept$/;
/** The rules whose callbacks tell no result. */
const UNTOLD =
  /^(?:callback-dropped|contradiction-after-success|callback-malformed|callback-wrong-content-type|callback-unknown-request-id)$/;

function readRows(rows: readonly Ordered[], lost: number, available: number) {
  const sales = uniqueBy(rows, saleKey).map((one) => rows.filter((other) => saleKey(other) === saleKey(one)));
  const count = (isMeant: (row: Ordered) => boolean): number => sales.filter((sale) => sale.some(isMeant)).length;
  const hidden = rows.filter(isLost).length - count(isLost);
  const twice = sales.filter((sale) => sale.filter(isSold).length > 1);
  const unknown = sales.filter((sale) => !twice.includes(sale) && sale.some(isUnknown));
  const stuck = sales.filter((sale) => sale.some((row) => row.sale?.state === "stuck"));
  return {
    balance: `KES ${money(available)}`,
    pills: {
      All: sales.length,
      "Needs attention": count(needsAttention),
      "Lost answer": lost - hidden,
      Refused: count(({ request, sale }) => sale === undefined && request.status_code >= 400),
      Failed: count(({ sale }) => sale?.state === "failed"),
      "Callback failed": count(({ sale }) => sale?.state !== "stuck" && sale?.callback.state === "undelivered"),
      "Never settles": stuck.length,
      "Sold unknown": unknown.length,
      "Sold twice": twice.length,
      Pending: count(({ sale }) => sale?.state !== "stuck" && sale?.callback.state === "pending"),
    },
    atRisk: [
      `KES ${money(sumOf(unknown.flat()))} sold that your backend does not know of`,
      `KES ${money(sumOf(stuck.flat()))} held for ever`,
      `KES ${money(sumOf(twice.flat()))} sold twice`,
    ],
    foot: `${whole(rows.length)} requests in ${whole(sales.length)} sales`,
    rows: sales.flatMap((sale) => {
      const orders = sale.map((row) => [wordsOf(row.request), costOf(row.sale)].join(" | "));
      if (twice.includes(sale)) return [totalOf(sale), ...orders.reverse().slice(0, 5), ...moreThan(sale.length - 5)];
      return sale.length > 1
        ? sale.slice(0, 1).map(({ request }) => `${wordsOf(request)} | ${sumWords(sale)}`)
        : orders;
    }),
    sums: [unknown, stuck, twice].map((sales) => money(sumOf(sales.flat()))),
  };
}

/** What is sent again after a lost answer is one sale; anything else is one of its own. */
function saleKey(row: Ordered): string {
  const { operation, phone_number: to, amount, message, request_id: id } = row.request;
  return isLost(row) ? `${operation} ${to} ${amount} ${message}` : id;
}

function isLost(row: Ordered): boolean {
  return fired(row, LOSES);
}

function isSold({ sale }: Ordered): boolean {
  return sale !== undefined && sale.state !== "failed" && sale.state !== "reversed";
}

function isUnknown(row: Ordered): boolean {
  return row.sale?.state === "succeeded" && (isLost(row) || fired(row, UNTOLD));
}

/** The row of a sale that was sold twice, above its requests. */
function totalOf(sale: readonly Ordered[]): string {
  const [asked] = sale.map(({ request }) => request.amount);
  const sold = sale.filter(isSold);
  const given = asked === undefined ? `${sold.length} messages` : `KES ${money(asked * sold.length)}`;
  return `${given} given for ${asked === undefined ? "1" : `KES ${money(asked)}`} asked | ${sumWords(sale)}`;
}

function sumWords(sale: readonly Ordered[]): string {
  return sale.some((row) => row.sale) ? money(sumOf(sale)) : "";
}

function moreThan(count: number): readonly string[] {
  return count > 0 ? [` | `] : [];
}

function fired({ request: { rules = [] } }: Ordered, which: RegExp): boolean {
  return rules.some(({ rule }) => which.test(rule));
}

function needsAttention(row: Ordered): boolean {
  const { request, sale } = row;
  if (fired(row, LOSES)) return true;
  if (sale === undefined)
    return request.status_code < 500 && request.status_code !== 402 && request.status_code !== 429;
  if (sale.state === "stuck" || sale.callback.state === "undelivered" || fired(row, /^callback-dropped$/)) return true;
  return /, then |^unreadable|^unknown id$|never got$/.test(sale.known);
}

function sumOf(rows: readonly Ordered[]): number {
  return rows.reduce((sum, { sale }) => sum + Math.round((sale?.charge ?? sale?.hold ?? 0) * 100), 0) / 100;
}

function wordsOf({ operation, amount, message = "" }: GatewayRequest): string {
  if (operation === "sms") return `SMS ${message}`.trim();
  return amount === undefined ? "Airtime" : `Airtime KES ${money(amount)}`;
}

function costOf(sale: TransactionJson | undefined): string {
  if (sale === undefined) return "";
  return sale.charge === null ? `${money(sale.hold)} held` : money(sale.charge);
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function countOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]));
}

function whole(count: number): string {
  return count.toLocaleString("en");
}

function money(amount: number): string {
  return amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function signed(amount: number): string {
  return `${amount < 0 ? "−" : "+"}${money(Math.abs(amount))}`;
}

/** Reads the figures above the rows and below them, then every row, and the costs of the rows behind each figure of the money at risk. */
async function readRequests(page: Page) {
  const [[balance] = [], pills, atRisk, [foot] = []] = await readTexts(page, [
    "[title='Available balance']",
    ".requests-filter .pills button",
    ".at-risk li",
    ".requests > footer p",
  ]);
  const rows = await readList(page);
  const sums: string[] = [];
  for (const link of await page.locator(".at-risk a").all()) {
    await link.click();
    const costs = (await readList(page, ":not(.part)")).map((row) =>
      Number(/[\d,.]+(?= held$|$)/.exec(row)?.[0]?.replaceAll(",", "")),
    );
    sums.push(money(costs.reduce((sum, cost) => sum + cost, 0)));
  }
  return { balance, pills: readCounts(pills), atRisk, foot, rows, sums };
}

/** Scrolls through the whole list. */
function readList(page: Page, which = ""): Promise<string[]> {
  return page.evaluate(async (which) => {
    const list = document.querySelector(".requests .virtual") ?? document.body;
    const seen = new Map<number, string>();
    for (let top = 0; top < list.scrollHeight; top += list.clientHeight - 72) {
      list.scrollTop = top;
      for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      for (const row of list.querySelectorAll(`[aria-rowindex]${which}`)) {
        const [what, cost] = ["What", "Cost"].map((label) =>
          (row.querySelector(`[data-label="${label}"]`)?.textContent ?? "").trim(),
        );
        seen.set(Number(row.getAttribute("aria-rowindex")), `${what} | ${cost}`);
      }
    }
    return [...seen].sort(([one], [other]) => one - other).map(([, text]) => text);
  }, which);
}

/** Reads the texts of everything that each selector finds, at once. */
function readTexts(page: Page, selectors: readonly string[]): Promise<string[][]> {
  return page.evaluate(
    (all) =>
      all.map((selector) =>
        Array.from(document.querySelectorAll<HTMLElement>(selector), ({ innerText }) =>
          innerText.replaceAll(/\s+/g, " ").trim(),
        ),
      ),
    selectors,
  );
}

/** "Lost answer 38", "SMS (90)" */
function readCounts(lines: readonly string[] = []): Record<string, number> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, word = "", count] = /^(.*?) \(?([\d,]+)\)?$/.exec(line) ?? [];
      return word === "" ? [] : [[word, Number(count?.replaceAll(",", ""))]];
    }),
  );
}

/** "fired 8×", by the rule. */
async function readRules(page: Page): Promise<Record<string, number>> {
  const [rules = [], names = []] = await readTexts(page, [".rule", ".rule > label"]);
  const counts = rules.map((text) => Number(/fired ([\d,]+)×/.exec(text)?.[1]?.replaceAll(",", "") ?? 0));
  return Object.fromEntries(
    names.map((name, index) => [name, counts[index] ?? 0] as const).filter(([, count]) => count > 0),
  );
}

async function readProblems(page: Page): Promise<object> {
  const [pills, seen = []] = await readTexts(page, ["[aria-label='Severity'] button", ".problem > p.quiet"]);
  return {
    ...readCounts(pills),
    seen: seen.map((line) => /^Seen live (once|[\d,]+ times)/.exec(line)?.[1] ?? line).sort(byText),
  };
}

async function readAccount(page: Page) {
  const [wallet, [journal = ""] = [], [total] = [], amounts = [], sums = [], left = []] = await readTexts(page, [
    "[aria-labelledby='account-wallet'] dd",
    "[aria-labelledby='account-journal'] > p",
    ".ledger header p",
    ".ledger .virtual [data-label='Amount']",
    ".ledger .virtual [data-label='Ledger']",
    ".ledger .virtual [data-label='Available']",
  ]);
  return {
    wallet,
    journal: /^.*?seed \d+\./.exec(journal)?.[0],
    total,
    entries: amounts.map((amount, index) => [amount, sums[index], left[index]].join(" ")),
  };
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
