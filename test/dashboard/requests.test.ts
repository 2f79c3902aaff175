import { text } from "node:stream/consumers";
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

test("money at risk stands first and leads to its orders; an order asked twice is one row until it is unfolded", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page, sandbox } = session;
  await sendAirtime(sandbox, LOST, "100").catch(() => "");
  await sendAirtime(sandbox, LOST, "100").catch(() => "");
  await sendAirtime(sandbox, "254712345678", "100");
  await sandbox.clock.advance("10s");
  await session.visit("requests");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
  await expect(page.getByRole("list", { name: "Money at risk" }).getByRole("listitem")).toHaveText([
    "KES 190.00 sold twice",
  ]);
  await expect(rows).toHaveCount(2);
  const lost = rows.filter({ hasText: "700 000 602" });
  await expect(lost).toContainText("no answer ×2 · sold twice");
  await expect(lost).toContainText("asked 2×, sold 2×, told 0×");
  await expect(lost.locator("[data-label=Cost]")).toHaveText("190.00");

  await page.getByRole("switch", { name: "Fold repeats" }).click();
  await expect(rows).toHaveCount(4);
  await expect(lost.locator("[data-label=Cost]")).toHaveText(["190.00", "95.00", "95.00"]);
  await page.getByRole("link", { name: "KES 190.00" }).click();

  await expect(page.getByRole("button", { name: "Sold twice 1" })).toHaveAttribute("aria-pressed", "true");
  await expect(rows).toHaveCount(3);
});

test.each([390, 1024, 1440])(
  "at %i pixels a row holds all that was got, and a refused one what it asked for",
  async (width) => {
    await using session = await openDashboard({}, { viewport: { width, height: 900 } });
    const { page, sandbox } = session;
    await sandbox.scenario(
      "version: 1\nname: lossy\nrules: [{ name: r, when: { first: 2 }, then: { connection: reset_after_accept } }, { name: s, when: { phone_number: '254711*' }, then: { ack: { delay: 1s } } }]",
    );
    for (const amount of ["1200", "1200", "1200"]) await sendAirtime(sandbox, "254712345678", amount).catch(() => "");
    await sendAirtime(sandbox, "254711345678", "1200");
    await sendAirtime(sandbox, "254712345678", "99999");
    await session.visit("requests");
    const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("row");
    await expect(rows).toHaveCount(3);

    await expect(rows.first().locator("[data-label=What]")).toHaveText("Airtime KES 99,999.00");
    const cut = await rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const [line, badge] = [row, row.querySelector(".request-got .badge")].map((one) =>
          one?.getBoundingClientRect(),
        );
        const cell = row.querySelector(".request-got");
        const isWhole =
          line &&
          badge &&
          badge.top >= line.top &&
          badge.bottom <= line.bottom &&
          (cell?.scrollWidth ?? 0) <= (cell?.clientWidth ?? 0);
        return isWhole ? [] : [row.textContent];
      }),
    );
    if (cut.length > 0) throw new Error(`cut off: ${cut.join()}`);
  },
);

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
  await expect(row).toContainText("nothing listening (127.0.0.1:9): start the receiver");
  await expect(row).not.toContainText("✓");
  await expect(row.getByRole("cell", { name: "nothing listening", exact: true })).toHaveClass(/bad/);

  await row.getByRole("link").click();
  await page.getByRole("button", { name: "Resend callback" }).click();

  const notice = page.getByRole("status").filter({ hasText: "Resent: nothing listening." });
  await expect(notice.locator(".bad")).toBeVisible();
});

test("one callback is sent again with two clicks, and the chosen one alone", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(500);
  const lost = await sendAirtime(sandbox, "254733456789", "100");
  await sendAirtime(sandbox, "254712345678", "50");
  await sandbox.clock.advance("5s");
  receiver.answerWith(200);
  await session.visit("requests?problem=callback");
  const rows = page.getByRole("rowgroup", { name: "Requests" }).getByRole("link");
  await expect(rows).toHaveCount(2);

  await page.getByRole("checkbox", { name: "Select Airtime to +254 733 456 789" }).click();
  await page.getByRole("button", { name: "Resend 1 callback" }).click();

  await expect(page.getByRole("button", { name: "Callback failed 1" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Resend/ })).toHaveCount(0);
  expect(receiver.bodies.map((body) => JSON.parse(body).request_id).slice(2)).toEqual([lost]);
});

test("all callbacks that failed are sent again", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(503);
  await sendMany(sandbox, 3);
  await sandbox.clock.advance("1m");
  receiver.answerWith(200);
  await session.visit("requests?problem=callback");

  await page.getByRole("checkbox", { name: "Select all that are shown" }).click();
  await page.getByRole("button", { name: "Resend 3 callbacks" }).click();

  await expect(page.getByText("Resent 3: 3 acknowledged.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Callback failed/ })).toContainText("0");
  expect(receiver.bodies).toHaveLength(6);
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
  await session.visit("requests?operation=sms");

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);

  const lines = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expect(lines.map((line) => /2547\d+/.exec(line)?.[0])).toEqual([undefined, "254733456789"]);
});
