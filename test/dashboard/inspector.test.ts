import { test } from "vitest";
import { openDashboard, type DashboardSession } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

const WANJIKU = "254712345678";
const OTIENO = "254733456789";

test("an opened request stands beside the rows, and j and k walk through them", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await sendAirtime(session.sandbox, WANJIKU, "100");
  await sendAirtime(session.sandbox, OTIENO, "200");
  await session.visit("transactions");

  await page.getByRole("link", { name: "Queued: Airtime to +254 733 456 789" }).click();
  await expect(page.getByRole("region", { name: "Airtime to +254 733 456 789" })).toBeInViewport();
  await expect(page.getByRole("table", { name: "Transactions, newest first" })).toBeInViewport();
  await page.keyboard.press("j");
  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("region", { name: "Airtime to +254 733 456 789" })).toBeVisible();
  await page.keyboard.press("Escape");

  await expect(page.getByRole("region", { name: /^Airtime to/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Queued: Airtime to +254 733 456 789" })).toBeFocused();
});

test("the inspector is widened by keyboard and by pointer, and keeps its width", async () => {
  await using session = await openDashboard();
  const { page } = session;
  const requestId = await sendAirtime(session.sandbox, WANJIKU, "100");
  await session.visit(`transactions/${requestId}`);
  const separator = page.getByRole("separator", { name: "Width of the inspector" });
  const width = async (): Promise<number> =>
    (await page.getByRole("region", { name: /^Airtime to/ }).boundingBox())?.width ?? 0;
  await expect(separator).toBeVisible();
  const before = await width();

  await separator.press("ArrowLeft");
  await expect.poll(width).toBeCloseTo(before + 32, 0);
  const box = await separator.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, 400);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) - 100, 400);
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before + 100);
  const after = await width();
  await page.reload();

  await expect.poll(width).toBeCloseTo(after, 0);
});

test("on a telephone an opened request has the whole screen", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 740 } });
  const { page } = session;
  const requestId = await sendAirtime(session.sandbox, WANJIKU, "100");

  await session.visit(`transactions/${requestId}`);

  const inspector = page.getByRole("region", { name: "Airtime to +254 712 345 678" });
  await expect(inspector).toBeVisible();
  expect(await inspector.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 740 });
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("link", { name: "Queued: Airtime to +254 712 345 678" })).toBeVisible();
});

test("on a telephone the selected tab is in view, in the next request as well", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 740 } });
  const { page } = session;
  await sendAirtime(session.sandbox, WANJIKU, "100");
  const requestId = await sendAirtime(session.sandbox, OTIENO, "100");

  await session.visit(`transactions/${requestId}?tab=raw`);
  await expect(page.getByRole("tab", { name: "Raw" })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("j");

  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Raw" })).toBeInViewport({ ratio: 1 });
});

test("the request shows its headers and bytes as they came, without the secret, and as curl", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const body = '{ "amount": "100",\n\n "phone_number": "254712345678" }';
  const requestId = await post(session, body, { "X-Order": "1043" });

  await session.visit(`transactions/${requestId}?tab=request`);
  const headers = page.getByRole("region", { name: "Headers" });
  await expect(headers).toContainText("1043");
  await expect(headers).toContainText(`Basic ${sandbox.consumerKey}:••••••`);
  await expect(page.getByRole("region", { name: "request body" }).locator("pre")).toHaveText(
    /^\{\n {2}"amount": "100",\n {2}"phone_number"/,
  );
  await page.getByRole("button", { name: "Raw" }).click();
  expect(await page.getByRole("region", { name: "request body" }).locator("pre").textContent()).toBe(body);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copy as curl" })).toHaveText("Copied");

  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`--data-raw '${body}'`);
  expect(await page.locator("#inspector-view").textContent()).not.toContain(sandbox.consumerSecret);
});

test("while a client waits its acknowledgment is not told as sent, and its bar grows", async () => {
  await using session = await openDashboard({ clock: "real" });
  const { page, sandbox } = session;
  await sandbox.scenario(
    "version: 1\nname: slow\nrules: [{ name: slow, then: { ack: { delay: 1h }, result: { stuck: true } } }]",
  );
  const leaving = new AbortController();
  post(session, '{"amount":"100","phone_number":"254712345678"}', {}, leaving.signal).catch(() => undefined);
  await session.visit("transactions");
  await page.getByRole("link", { name: /Airtime to/ }).click();

  const acknowledgment = page.getByRole("table", { name: "Waterfall" }).getByRole("row", { name: /Acknowledgment/ });
  await expect(acknowledgment).toContainText("client waits");
  const first = await acknowledgment.textContent();
  await expect(acknowledgment).not.toHaveText(first ?? "");
  await page.getByRole("tab", { name: "Acknowledgment" }).click();
  await expect(page.getByText("The client is still waiting.")).toBeVisible();
  leaving.abort();

  await expect(page.getByText(/^The connection closed after/)).toBeVisible();
});

test("a callback is edited and sent again", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sandbox.callbacks.set({ airtime: receiver.url });
  const requestId = await sendAirtime(sandbox, WANJIKU, "100");
  await sandbox.clock.advance("5s");

  await session.visit(`transactions/${requestId}?tab=callbacks`);
  await page.getByRole("button", { name: "Edit and resend" }).click();
  await expect(page.getByLabel("Body to send instead")).toHaveValue(/"result_code": 200/);
  await page.getByLabel("Body to send instead").fill('{"result_code": 500}');
  await page.getByRole("button", { name: "Send this body" }).click();

  await expect(page.getByRole("heading", { name: "Callback attempt 2" })).toBeVisible();
  expect(receiver.bodies[1]).toBe('{"result_code": 500}');
});

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
