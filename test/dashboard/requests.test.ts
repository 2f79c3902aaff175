import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { postTo, sendAirtime, sendMany, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

/** A magic number: accepted with a reset connection. */
const LOST = "254700000602";

test("all lost answers are found with one click, and none of them is green", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, LOST, "100").catch(() => "");
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("10s");
  await session.visit("requests");
  const rows = page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  await page.getByRole("button", { name: "Lost answer 1" }).click();

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName("Sold, you got no answer: Airtime to +254 700 000 602");
  const row = page.getByRole("row", { name: /700 000 602/ });
  await expect(row).toContainText("no answer");
  await expect(row).toContainText("connection reset");
  await expect(row.locator(".good")).toHaveCount(0);
});

test("money at risk stands first and leads to its orders; what was sold twice is red, says what was given, and has its orders under it", async () => {
  await using session = await openDashboard({
    scenarios: ["magic-numbers"],
    accounts: [{ callbacks: { airtime: "kredo:sink" } }],
  });
  const { page, sandbox } = session;
  for (const amount of ["75", "75", "80"]) await sendAirtime(sandbox, LOST, amount).catch(() => "");
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("10s");
  await session.visit("requests");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(page.getByRole("list", { name: "Money at risk" }).getByRole("listitem")).toHaveText([
    "KES 76.00 sold that your backend does not know of",
    "KES 142.50 sold twice",
  ]);
  await expect(rows.locator("[data-label=What]")).toHaveText([
    "Airtime KES 100.00",
    "Airtime KES 80.00",
    "KES 150.00 given for KES 75.00 asked",
    "Airtime KES 75.00",
    "Airtime KES 75.00",
  ]);
  const sale = rows.filter({ hasText: "sold twice" });
  await expect(sale).toContainText("no answer ×2 · sold twice");
  await expect(sale).toContainText("asked 2×, sold 2×, told 0×");
  await expect(sale.locator("[data-label=Cost]")).toHaveText("142.50");
  await expect(sale.locator(".bad")).toHaveText("no answer ×2 · sold twice");

  await page.getByRole("link", { name: "KES 142.50" }).click();

  await expect(page.getByRole("button", { name: "Sold twice 1" })).toHaveAttribute("aria-pressed", "true");
  await expect(rows.locator("[data-label=Cost]")).toHaveText(["142.50", "71.25", "71.25"]);
});

test("keys walk from a double sale to the earlier of its orders and on, and each of these opens its own", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  const first = await sendAirtime(sandbox, "254712345678", "100");
  for (const amount of ["75", "75"]) await sendAirtime(sandbox, LOST, amount).catch(() => "");
  await session.visit("requests");
  const links = page.getByRole("rowgroup", { name: "Requests" }).getByRole("link");
  await expect(links).toHaveCount(4);

  await page.keyboard.press("j");
  await expect(links.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("j");
  await expect(links.nth(3)).toBeFocused();
  await page.keyboard.press("k");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^Airtime to/ })).toBeFocused();
  const earlier = new URL(page.url()).hash;
  await page.keyboard.press("j");
  await expect(page).toHaveURL(new RegExp(first));
  await links.nth(2).click();

  await expect(page).not.toHaveURL(new RegExp(first));
  expect(new URL(page.url()).hash).not.toBe(earlier);
  await expect(page.locator(".request.open")).toHaveCount(2);
});

test("at most five orders stand under what was sold twice", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  for (let sent = 0; sent < 7; sent += 1) await sendAirtime(sandbox, LOST, "50").catch(() => "");

  await session.visit("requests");

  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(7);
  await expect(rows.last()).toHaveText("and 2 more for Airtime to +254 700 000 602");
});

test("what the page itself sent costs no backend money and asks for no attention", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(
    "version: 1\nname: stuck\nrules: [{ name: r, when: { nth: 1 }, then: { connection: reset_after_accept, result: { stuck: true } } }]",
  );
  const authorization = `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`;
  const headers = { authorization, "content-type": "application/json", "x-kredo-command": "page" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "50" });
  await fetch(`${sandbox.url}/api/v2/airtime`, { method: "POST", headers, body }).catch(() => undefined);
  await sendAirtime(sandbox, "254733456789", "50");

  await session.visit("requests");

  await expect(page.getByRole("row", { name: /712 345 678/ })).toContainText("no answer by Kredo");
  await expect(page.getByRole("row", { name: /733 456 789/ })).not.toContainText("by Kredo");
  await expect(page.getByRole("button", { name: "Needs attention 0" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Never settles 0" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Money at risk" })).toHaveCount(0);
});

test("each word that a row shows finds it, and the field and the pills keep their places meanwhile", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url, sms: "http://127.0.0.1:9/hooks" });
  receiver.answerWith(500);
  for (const amount of ["75", "75"]) await sendAirtime(sandbox, LOST, amount).catch(() => "");
  await sendAirtime(sandbox, "254733456789", "1200");
  await sendSms(sandbox, "254712345678", "Habari Wanjiku");
  await sandbox.clock.advance("1m");
  await session.visit("requests");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  const field = page.getByRole("searchbox");
  const places = async () => [
    await field.boundingBox(),
    ...(await page
      .getByRole("group", { name: "Problem" })
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.textContent.replace(/\d+$/, "")))),
  ];
  const before = await places();
  const missed = await missedWords(page);
  await field.fill("zzz");

  expect(missed).toEqual([]);
  expect(await places()).toEqual(before);
  await field.fill("nothing listening 0712345678");
  await expect(rows).toHaveCount(1);
});

/** Searches for each word of each row, and returns those that do not find it. */
function missedWords(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>("input[data-search]");
    const list = document.querySelector(".requests") ?? document.body;
    const shown = (): string[] => Array.from(list.querySelectorAll<HTMLElement>(".request"), (row) => row.innerText);
    const words = shown().flatMap((row) => [...new Set(row.split(/\s+/))].map((word) => ({ row, word })));
    const missed: string[] = [];
    for (const { row, word } of words) {
      if (field !== null) field.value = word;
      field?.dispatchEvent(new Event("input", { bubbles: true }));
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
      if (!shown().includes(row)) missed.push(word);
    }
    return missed;
  });
}

test("a row is one line, and says why in the receiver's own words, whole in its title", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(500);
  await sendAirtime(sandbox, "254712345678", "75");
  await sandbox.clock.advance("1m");
  await session.visit("requests");
  const row = page.getByRole("row", { name: /712 345 678/ });

  const why = row.locator("[data-label=Why]");
  await expect(why).toHaveText("SQLSTATE[HY000]: database is locked");
  await expect(why).toHaveAttribute("title", /^SQLSTATE\[HY000\]: .*\nyour receiver: 500 .*the receiver failed/);
  expect((await row.boundingBox())?.height).toBe(36);
});

test.each([390, 1024, 1440])("at %i pixels a row says in one line all that was got", async (width) => {
  await using session = await openDashboard({}, { viewport: { width, height: 900 } });
  const { page, sandbox } = session;
  await sandbox.scenario(
    "version: 1\nname: lossy\nrules: [{ name: r, when: { first: 1 }, then: { connection: reset_after_accept } }, { name: s, when: { phone_number: '254711*' }, then: { ack: { delay: 1s } } }]",
  );
  for (const amount of ["1200", "1200"]) await sendAirtime(sandbox, "254712345678", amount).catch(() => "");
  await sendAirtime(sandbox, "254711345678", "1200");
  await sendAirtime(sandbox, "254712345678", "99999");
  await session.visit("requests");
  const got = page.getByRole("rowgroup", { name: "Requests" }).locator("[data-label='You got']");

  await expect(got).toHaveText(["422", "200 after 1 s", "no answer, then 200 · sold twice", "no answer", "200"]);

  const cut = await got.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth));
  const heights = await page.locator(".request").evaluateAll((all) => [...new Set(all.map((one) => one.clientHeight))]);
  expect(cut).toEqual([]);
  expect(heights).toHaveLength(1);
});

test("the held money links to the orders that never settle", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario(
    "version: 1\nname: stuck\nrules: [{ name: r, when: { nth: 1 }, then: { result: { stuck: true } } }]",
  );
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "50");
  await session.visit("account");

  await page.getByRole("link", { name: "KES 142.50" }).click();

  await expect(page.getByRole("button", { name: "Never settles 1" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("table").getByRole("link")).toHaveAccessibleName(/254 712 345 678/);
});

test("a refused request names its field and value in the row, and keeps its number", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await postTo(sandbox, "/api/v2/airtime", { phone_number: "0712 345 678", amount: "100" });
  await sendAirtime(sandbox, "254733456789", "100");
  await session.visit("requests");
  const rows = page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  await page.getByRole("searchbox", { name: /^Search/ }).fill("254712");

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName("Refused 422: Airtime to 0712 345 678");
  await expect(page.getByRole("row", { name: /0712 345 678/ })).toContainText('phone_number "0712 345 678": ');
});

test("a dead callback URL is said in the row, with the reason, and nothing in it says that all is well", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: "http://127.0.0.1:9/hooks" });
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("5s");

  await session.visit("requests");

  const row = page.getByRole("row", { name: /712 345 678/ });
  await expect(row).toContainText("nothing listening");
  await expect(row.getByText("nothing listening (127.0.0.1:9)")).toBeVisible();
  await expect(row.getByTitle(/nothing listening \(127\.0\.0\.1:9\): start the receiver/)).toBeVisible();
  await expect(row).not.toContainText("✓");
  await expect(row.getByRole("cell", { name: "nothing listening", exact: true })).toHaveClass(/bad/);

  await row.getByRole("link").click();
  await page.getByRole("button", { name: "Resend callback" }).click();

  const notice = page.getByRole("status").filter({ hasText: "Resent: nothing listening." });
  await expect(notice.locator(".bad")).toBeVisible();
});

test("all callbacks that failed and match the filter are sent again, and nothing below the rows moves", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(503);
  await sendMany(sandbox, 3);
  await sendAirtime(sandbox, "254733456789", "100");
  await sandbox.clock.advance("1m");
  receiver.answerWith(200);
  await session.visit("requests?text=712");
  const exported = page.getByRole("button", { name: "Export CSV" });
  await expect(page.getByRole("button", { name: "Callback failed 3" })).toBeVisible();
  const before = await exported.boundingBox();

  await page.getByRole("button", { name: "Resend 3 failed callbacks" }).click();

  await expect(page.getByText("Resent 3: 3 acknowledged.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Callback failed 0" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Resend/ })).toHaveCount(0);
  expect(await exported.boundingBox()).toEqual(before);
  expect(receiver.bodies).toHaveLength(7);
});

test("a callback reads as in flight until its receiver has answered", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url, timeout: "10m" });
  receiver.hold();
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit("requests");
  const row = page.getByRole("table").getByRole("row", { name: /254 712 345 678/ });

  const advanced = sandbox.clock.advance("5s");
  await expect(row).toContainText("in flight");
  receiver.release();
  await advanced;

  await expect(row).toContainText("delivered");
});

test("filters are in the URL, so that a link shows the same rows", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await sendSms(session.sandbox, "254733456789", "Oda yako iko njiani");
  await session.visit("requests");
  const rows = session.page.getByRole("table").getByRole("link");
  await expect(rows).toHaveCount(2);

  await session.page.keyboard.press("/");
  await session.page.keyboard.type("njiani");
  await expect(rows).toHaveCount(1);
  await session.page.reload();

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName("Pending: SMS to +254 733 456 789; got 200");
  await expect(session.page.getByRole("searchbox", { name: /^Search/ })).toHaveValue("njiani");
});

test("Escape leaves the search field and keeps what stands in it", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("requests");
  const field = session.page.getByRole("searchbox", { name: /^Search/ });
  await field.fill("0712");

  await session.page.keyboard.press("Escape");

  await expect(field).not.toBeFocused();
  await expect(field).toHaveValue("0712");
  await session.page.keyboard.press("j");
  await expect(session.page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeFocused();
});

test("a message with markup and right-to-left marks shows as what it is", async () => {
  const message = 'Salio\u202E: <script>document.title = "x"</script><img src=x onerror="document.title = 1">';
  await using session = await openDashboard();
  const requestId = await sendSms(session.sandbox, "254712345678", message);

  await session.visit("requests");
  await expect(session.page.getByRole("cell").filter({ hasText: "onerror" })).toContainText(message);
  await session.visit(`requests/${requestId}?tab=http`);

  await expect(session.page.getByRole("region", { name: "Request", exact: true })).toContainText("<script>");
  await expect(session.page).toHaveTitle(/Kredo/);
  await expect(session.page.locator("body script, body img")).toHaveCount(0);
});

test("keys pressed while the rows are drawn are not lost", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  await sendAirtime(session.sandbox, "254733456789", "200");
  await session.visit("account");
  await expect(session.page.getByRole("heading", { level: 1, name: "Account", exact: true })).toBeVisible();

  await atFirstSight(session.page, { place: "requests", sight: "[role=rowgroup] a", keys: ["j", "j"] });

  await expect(session.page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeFocused();
});

test("Escape pressed in the moment in which a request opens closes it", async () => {
  await using session = await openDashboard();
  const requestId = await sendAirtime(session.sandbox, "254712345678", "100");
  await session.visit("requests");
  await expect(session.page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeVisible();

  await atFirstSight(session.page, { place: `requests/${requestId}`, sight: ".inspector", keys: ["Escape"] });

  await expect(session.page.locator(".inspector")).toBeHidden();
  await expect(session.page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeFocused();
});

test("a key pressed in the moment in which a request is closed goes on from its row", async () => {
  await using session = await openDashboard();
  await sendAirtime(session.sandbox, "254712345678", "100");
  const requestId = await sendAirtime(session.sandbox, "254733456789", "200");
  await sendAirtime(session.sandbox, "254770000001", "300");
  await session.visit("requests");
  await expect(session.page.getByRole("table").getByRole("link")).toHaveCount(3);

  await atFirstSight(session.page, { place: `requests/${requestId}`, sight: ".inspector", keys: ["Escape", "j"] });

  await expect(session.page.locator(".inspector")).toBeHidden();
  await expect(session.page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeFocused();
});

test("the rows that are shown are kept as a file", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "300");
  await sendSms(sandbox, "254733456789", "Habari");
  await session.visit("requests?text=sms");

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);

  const lines = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expect(lines.map((line) => /2547\d+/.exec(line)?.[0])).toEqual([undefined, "254733456789"]);
});
