import type { Page } from "@playwright/test";
import { test } from "vitest";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { findObstacles } from "./find-obstacles.ts";
import { findOverflow } from "./find-overflow.ts";
import { startReceiver } from "./receiver.ts";
import { postTo, sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

const WANJIKU = "254712345678";
const OTIENO = "254733456789";

test("an opened request is shown beside the rows, and j and k move through them", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await sendAirtime(session.sandbox, WANJIKU, "100");
  await sendAirtime(session.sandbox, OTIENO, "200");
  await session.visit("requests");

  await page.getByRole("link", { name: "Pending: Airtime to +254 733 456 789" }).click();
  await expect(page.getByRole("region", { name: "Airtime to +254 733 456 789" })).toBeInViewport();
  await expect(page.getByRole("table", { name: "Requests, newest first" })).toBeInViewport();
  await page.keyboard.press("j");
  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("region", { name: "Airtime to +254 733 456 789" })).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("region", { name: /^Airtime to/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Pending: Airtime to +254 733 456 789" })).toBeFocused();
});

test("the rule that fired leads to its scenario", async () => {
  await using session = await openDashboard({ scenarios: ["magic-numbers"] });
  const { page } = session;
  const requestId = await sendAirtime(session.sandbox, "254700000201", "100");
  await session.visit(`requests/${requestId}`);

  await page.getByRole("list", { name: "Why" }).getByRole("link", { name: "magic-numbers" }).click();

  await expect(page.getByRole("heading", { name: "Active scenarios" })).toBeVisible();
  await expect(page.getByRole("article", { name: "magic-numbers" })).toBeVisible();
});

test("on a telephone an opened request has the whole screen", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 740 } });
  const { page } = session;
  const requestId = await sendAirtime(session.sandbox, WANJIKU, "100");

  await session.visit(`requests/${requestId}`);

  const inspector = page.getByRole("region", { name: "Airtime to +254 712 345 678" });
  await expect(inspector).toBeVisible();
  expect(await inspector.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 740 });
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("link", { name: "Pending: Airtime to +254 712 345 678" })).toBeVisible();
});

test("the phone shows the message as it arrived, with its parts", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  const requestId = await sendSms(sandbox, OTIENO, "Asante sana 🙏 na karibu tena");
  await session.visit(`requests/${requestId}`);
  const message = page.getByRole("figure", { name: "On the phone" });
  await expect(message).toContainText("On its way");

  await sandbox.clock.advance("10s");

  await expect(message).toContainText("SANDBOX");
  await expect(message).toContainText("Asante sana 🙏 na karibu tena");
  await expect(message).toContainText("UCS-2, 28 characters in 1 part");
  await expect(message).not.toContainText("On its way");
});

test("the phone shows which parts of a message arrived, though the carrier failed it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario("version: 1\nname: cut\nrules: [{ name: r, then: { result: { lost_parts: [2] } } }]");
  const requestId = await sendSms(sandbox, WANJIKU, "x".repeat(300));
  await sandbox.clock.advance("5s");

  await session.visit(`requests/${requestId}`);

  await expect(page.getByRole("figure", { name: "On the phone" })).toContainText("Part 1 only");
  await expect(page.getByRole("list", { name: "Parts" }).getByRole("listitem")).toHaveText([
    `${"x".repeat(153)}KES 0.80`,
    `${"x".repeat(147)}KES 0.80`,
  ]);
  await expect(page.getByText(/^Your backend knows/)).toContainText("The customer got: part 1 of the message.");
});

test("a refused request shows each field with its value, and its response as it was", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  const answer = await postTo(sandbox, "/api/v2/airtime", { phone_number: "25471234", amount: "100" });
  const { request_id: requestId } = JSON.parse(await answer.text());

  await session.visit(`requests/${requestId}`);

  await expect(page.getByRole("row", { name: /^phone_number "25471234"/ })).toBeVisible();
  await page.getByRole("tab", { name: "HTTP" }).click();
  await expect(page.getByRole("region", { name: "Response" })).toContainText('"validation_errors"');
});

test("a request for an unknown path shows what was sent there", async () => {
  await using session = await openDashboard();
  await postTo(session.sandbox, "/api/v1/airtime", { phone_number: WANJIKU, amount: "50" });
  await session.visit("requests");

  await session.page.getByRole("link", { name: "Refused 404: POST /api/v1/airtime" }).click();
  await session.page.getByRole("tab", { name: "HTTP" }).click();

  await expect(session.page.getByRole("region", { name: "Request", exact: true })).toContainText(
    '"phone_number": "254712345678"',
  );
});

test("HTTP shows the request as it came, without the secret, pretty or raw, and as curl", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const body = '{ "amount": "100",\n\n "phone_number": "254712345678" }';
  const requestId = await post(session, body, { "X-Order": "1043" });

  await session.visit(`requests/${requestId}?tab=http`);
  const request = page.getByRole("region", { name: "Request", exact: true });
  await expect(request).toContainText("1043");
  await expect(request).toContainText(`Basic ${sandbox.consumerKey}:••••••`);
  await expect(request.locator("pre")).toContainText('\r\n\r\n{\n  "amount": "100",\n  "phone_number"');
  await page.getByRole("button", { name: "Raw" }).click();
  expect(await request.locator("pre").textContent()).toMatch(/^POST \/api\/v2\/airtime HTTP\/1\.1\r\n/);
  expect((await request.locator("pre").textContent())?.endsWith(`\r\n\r\n${body}`)).toBe(true);
  await page.getByRole("button", { name: "Copy as curl: Request" }).click();
  await expect(page.getByRole("button", { name: "Copy as curl: Request" })).toHaveText("Copied");

  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`--data-raw '${body}'`);
  expect(await page.locator("#inspector-view").textContent()).not.toContain(sandbox.consumerSecret);
});

test("HTTP shows each callback with what the receiver answered, and sends it again the same to the byte", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(503);
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await sandbox.clock.advance("5s");
  receiver.answerWith(200);

  await session.visit(`requests/${requestId}`);
  await page.getByRole("button", { name: "Resend callback" }).click();
  await expect(page.getByRole("heading", { name: "Callback 2" })).toBeVisible();
  await page.getByRole("tab", { name: "HTTP" }).click();

  await expect(page.getByRole("region", { name: "Callback 1", exact: true })).toContainText(`POST ${receiver.url}`);
  await expect(page.getByRole("region", { name: "Callback 1", exact: true })).toContainText('"charge": 95');
  const answer = page.getByRole("region", { name: "Answer to callback 1" });
  await expect(answer).toContainText("your receiver: 503");
  await expect(answer).toContainText("SQLSTATE[HY000]: database is locked");
  await expect(page.getByRole("region", { name: "Answer to callback 2" })).toContainText("your receiver: 200");
  expect(receiver.bodies).toEqual([receiver.bodies[0], receiver.bodies[0]]);
});

test("a callback is edited and sent again, and a second URL gets a copy of each", async () => {
  await using receiver = await startReceiver();
  await using second = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  await session.visit("account");
  const copy = page.getByRole("form", { name: "Copy of every callback to" });
  await copy.getByRole("textbox").fill(second.url);
  await copy.getByRole("button", { name: "Test" }).click();
  await expect(page.getByText("Acknowledged")).toBeVisible();
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  second.answerWith(503);
  await sandbox.clock.advance("5s");

  await session.visit(`requests/${requestId}?tab=http`);
  await page.getByText("Edit and resend").click();
  await page.getByLabel("Headers").fill("content-type: application/json\nX-Try: 2");
  await page.getByRole("textbox", { name: "Body" }).fill('{"result_code":500}');
  second.hold();
  await page.getByRole("button", { name: "Resend edited" }).click();

  await expect(page.getByText("Resent: your receiver: 200.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Callback 2", exact: true })).toContainText("x-try: 2");
  await expect(page.getByRole("region", { name: "Answer to callback 2" })).toBeVisible();
  second.release();
  await expect(page.getByRole("region", { name: "Answer to callback 2" })).toContainText(second.url);
  await expect(page.getByRole("region", { name: "Answer to callback 2" })).toContainText("your receiver: 503");
  expect({ receiver: receiver.bodies.slice(1), second: second.bodies.slice(2) }).toEqual({
    receiver: ['{"result_code":500}'],
    second: ['{"result_code":500}'],
  });

  await page.getByText("Edit and resend").nth(1).click();
  await page.getByLabel("Headers").nth(1).fill("content-type: application/json\nX-Try: 3");
  await page.getByRole("button", { name: "Resend edited" }).last().click();

  await expect(page.getByRole("region", { name: "Callback 3", exact: true })).toContainText("x-try: 3");
  expect(receiver.bodies.slice(1)).toEqual(['{"result_code":500}', '{"result_code":500}']);
});

test("settling by hand with another result shows in the row and reaches the receiver", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await session.visit(`requests/${requestId}`);

  await page.getByText("Settle with another result").click();
  await page.getByLabel("Result code").fill("404");
  await page.getByRole("button", { name: "Settle with this result" }).click();

  await expect(page.getByRole("list", { name: "Timeline" })).toContainText("Result 404 —");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Failed: Airtime to +254 712 345 678" })).toBeFocused();
});

test("the timeline says that a result waits for its carrier, not that it is on its way", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.scenario("version: 1\nname: outage\ntimeline:\n  - { at: 0s, do: { carrier: { airtel: down } } }\n");
  const requestId = await sendAirtime(sandbox, OTIENO, "200");
  await session.visit(`requests/${requestId}`);
  const timeline = page.getByRole("list", { name: "Timeline" });

  await expect(timeline).toContainText("The result is on its way, due at");
  await sandbox.clock.advance("10m");

  await expect(timeline).toContainText("It comes once its carrier is up.");
  await expect(timeline).not.toContainText("on its way");
});

test("while a client waits, its acknowledgment is not shown as sent", async () => {
  await using session = await openDashboard({ clock: "real" });
  const { page, sandbox } = session;
  await sandbox.scenario(
    "version: 1\nname: slow\nrules: [{ name: slow, then: { ack: { delay: 1h }, result: { stuck: true } } }]",
  );
  const leaving = new AbortController();
  post(session, '{"amount":"100","phone_number":"254712345678"}', {}, leaving.signal).catch(() => undefined);
  await session.visit("requests");
  await page.getByRole("link", { name: /Airtime to/ }).click();

  await expect(
    page.getByRole("heading", { name: "Accepted — your backend is still waiting for its answer" }),
  ).toBeVisible();
  await page.getByRole("tab", { name: "HTTP" }).click();
  await expect(page.getByText("The client is still waiting.")).toBeVisible();
  leaving.abort();

  await expect(page.getByText(/^The connection closed after/)).toBeVisible();
});

test("sending again with a lost answer shows both requests side by side, and leaves nothing active", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  session.expectBreach(/ERR_|Failed to load/);
  const requestId = await sendAirtime(sandbox, WANJIKU, "75");
  await sandbox.clock.advance("5s");
  await session.visit(`requests/${requestId}`);

  await page.getByRole("button", { name: "a lost answer" }).click();

  await expect(page.getByRole("region", { name: "Side by side" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("region", { name: "Side by side" })).toBeFocused();
  const both = page.getByRole("region", { name: "Side by side" }).getByRole("row");
  await expect(both.filter({ hasText: "You got" })).toHaveText("You got200no answer");
  await sandbox.clock.advance("5s");
  await expect(both.filter({ hasText: "Your backend knows" })).toHaveText("Your backend knowsacceptednothing");
  await expect(both.filter({ hasText: "The customer got" })).toHaveText("The customer gotKES 75.00KES 75.00");
  await expect(page.getByRole("link", { name: /^Sold, you got no answer/ })).toHaveCount(1);
  await expect.poll(async () => (await sandbox.scenarios()).map(({ name }) => name)).toEqual(["magic-numbers"]);
  await page.reload();
  await expect(both.filter({ hasText: "You got" })).toHaveText("You got200no answer");
});

test("a fault that was armed before a reload ends by itself once a request has met it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  await page.getByRole("button", { name: "Fail next…" }).click();
  await page.getByRole("button", { name: "Refused 429" }).click();
  await expect(page.getByText("Next request:")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Next request:")).toBeVisible();

  await sendAirtime(sandbox, WANJIKU, "75");

  await expect(page.getByRole("status").getByRole("link", { name: "show request" })).toBeVisible();
  await expect.poll(async () => (await sandbox.scenarios()).map(({ name }) => name)).toEqual(["magic-numbers"]);
});

test("what the page sends again leads to no finding", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  session.expectBreach(/ERR_|Failed to load/);
  const requestId = await sendAirtime(sandbox, WANJIKU, "75");
  await session.visit(`requests/${requestId}`);

  await page.getByRole("button", { name: "a lost answer" }).click();
  await expect(page.getByRole("region", { name: "Side by side" })).toBeVisible();
  await page.getByRole("button", { name: "a doubled callback" }).click();
  await expect(page.getByRole("columnheader", { name: "With a doubled callback" })).toBeVisible();
  await sandbox.clock.advance("1m");

  expect((await sandbox.findings()).filter(({ severity }) => severity !== "hint")).toEqual([]);
});

test.for([
  ["a doubled callback", "delivered, 2×"],
  ["a late callback", "pending"],
])("sending again with %s", async ([name, callback]) => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  const requestId = await sendAirtime(sandbox, WANJIKU, "75");
  await sandbox.clock.advance("5s");
  await session.visit(`requests/${requestId}`);

  await page.getByRole("button", { name }).click();
  const both = page.getByRole("region", { name: "Side by side" }).getByRole("row");
  await expect(both.filter({ hasText: "You got" })).toHaveText("You got200200");
  await sandbox.clock.advance("5s");

  await expect(both.filter({ hasText: "Told" }).last()).toHaveText(`Tolddelivered${callback}`);
});

test.for([
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
])("the rows and an opened request have no axe violation and fit $width pixels", async (viewport) => {
  await using receiver = await startReceiver();
  await using session = await openDashboard({}, { viewport, reducedMotion: "reduce" });
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  receiver.answerWith(500);
  await postTo(sandbox, "/api/v2/airtime", { phone_number: "25471234", amount: "100" });
  await sendAirtime(sandbox, "254700000602", "100").catch(() => "");
  await sendAirtime(sandbox, WANJIKU, "100");
  await sandbox.clock.advance("5s");

  await session.visit("requests");
  await expect(page.getByRole("link", { name: /^Sold, you got no answer/ })).toBeVisible();
  const rows = await look(page);
  await page.getByRole("link", { name: "Succeeded: Airtime to +254 712 345 678" }).click();
  await expect(page.getByRole("heading", { name: "Callback 1" })).toBeVisible();
  const timeline = await look(page);
  await page.getByRole("button", { name: "a doubled callback" }).click();
  await expect(page.getByRole("region", { name: "Side by side" })).toBeVisible();
  const again = await look(page);
  await page.getByRole("tab", { name: "HTTP" }).click();
  await expect(page.getByRole("region", { name: "Answer to callback 1" })).toBeVisible();
  const http = await look(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /^Refused 422/ }).click();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await expect(page.getByRole("row", { name: /^phone_number/ })).toBeVisible();
  const refused = await look(page);

  expect({ rows, timeline, again, http, refused }).toEqual({
    rows: [],
    timeline: [],
    again: [],
    http: [],
    refused: [],
  });
});

async function look(page: Page): Promise<readonly unknown[]> {
  return [...(await findObstacles(page)), ...(await findOverflow(page))];
}

/** Buys airtime with a body of its own; answers the request_id. */
async function post(
  { sandbox }: DashboardSession,
  body: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<string> {
  const { url, consumerKey, consumerSecret } = sandbox;
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`;
  const answer = await fetch(`${url}/api/v2/airtime`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    body,
    ...(signal && { signal }),
  });
  const { request_id: requestId = "" }: { request_id?: string } = JSON.parse(await answer.text());
  return requestId;
}
