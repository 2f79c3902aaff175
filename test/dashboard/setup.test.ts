import { expect as expectNow, test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { openDashboard } from "./dashboard-session.ts";
import { startReceiver } from "./receiver.ts";
import { paste } from "./shell-commands.ts";
import { postTo, sendAirtime } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("one click makes the first order, as one of Kredo's own, and opens it", async () => {
  await using session = await openDashboard();
  const { page } = session;
  await session.visit();

  const sent = page.waitForRequest(/\/api\/v2\/airtime$/);
  await page.getByRole("button", { name: "Send a test order" }).click();
  expectNow(await (await sent).headerValue("x-kredo-command")).toBe("page");

  await expect(page.getByRole("region", { name: "Airtime to +254 712 345 678" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send a test order" })).toHaveCount(0);
});

test("the command of the empty state makes the first row", async () => {
  await using session = await openDashboard({}, { viewport: { width: 1440, height: 900 } });
  await session.visit();
  const command = session.page.getByRole("main").locator("pre").first();
  await expect(command).toContainText("curl ");

  const printed = await paste(await command.innerText());

  expect(printed).toContain('"status_code":200');
  await expect(session.page.getByRole("link", { name: /Airtime to \+254 712 345 678/ })).toBeVisible();
});

test("at 1024 pixels the first steps stand side by side, and nothing is clipped", async () => {
  await using session = await openDashboard({}, { viewport: { width: 1024, height: 768 } });
  await session.visit();
  const steps = session.page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("heading")).toHaveCount(3);

  const tops = await steps
    .getByRole("heading")
    .evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect().top));
  const clipped = await steps
    .locator("*")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length);

  expectNow({ lines: new Set(tops).size, clipped }).toEqual({ lines: 1, clipped: 0 });
});

test("on a telephone, the button of the test order is on the first screen", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 844 } });

  await session.visit();

  await expect(session.page.getByRole("button", { name: "Send a test order" })).toBeInViewport({ ratio: 1 });
});

test("the result of a test stays until it is dismissed, also when the first row has come", async () => {
  await using receiver = await startReceiver();
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  await page.getByRole("textbox", { name: "Callback URL" }).fill(receiver.url);

  await page.getByRole("button", { name: "Save and test" }).click();
  const result = page.getByRole("status").filter({ hasText: receiver.url });
  await expect(result).toContainText("Acknowledged");
  await sendAirtime(sandbox, "254712345678", "100");
  await expect(page.getByRole("link", { name: /Airtime to \+254 712 345 678/ })).toBeVisible();
  await expect(result).toContainText("Acknowledged");
  await result.getByRole("button", { name: "Dismiss" }).click();

  await expect(result).toHaveCount(0);
  expect(receiver.bodies).toHaveLength(1);
});

test("without a callback URL, the requests say how to get results", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();

  await page.getByRole("link", { name: "Add a callback URL to get results" }).click();

  await expect(page.getByRole("textbox", { name: "Airtime callback URL" })).toBeVisible();
});

test("a callback URL typed in the moment in which its field appears stays", async () => {
  await using session = await openDashboard();
  await session.visit("failures");
  await expect(session.page.getByRole("heading", { level: 1 })).toBeAttached();

  await atFirstSight(session.page, {
    place: "requests",
    sight: "main form input",
    text: "http://localhost:3000/hooks",
  });

  await expect(session.page.getByRole("textbox", { name: "Callback URL" })).toHaveValue("http://localhost:3000/hooks");
});

test("requests with an unknown key are shown as they come, with what to change", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit();
  await expect(page.getByRole("button", { name: "Send a test order" })).toBeVisible();

  await postTo({ url: sandbox.url, consumerKey: "sandbox-kye", consumerSecret: "x" }, "/api/v2/airtime", {});
  await expect(page.getByText("1 request with an unknown key")).toBeVisible();
  await fetch(`${sandbox.url}/api/airtime`, { method: "POST" });

  const strangers = page.getByRole("list", { name: "2 requests without an account, newest first" });
  await expect(strangers).toContainText("No account has the key sandbox-kye: send sandbox-key");
  await expect(strangers).toContainText("404 POST /api/airtime: did you mean /api/v2/airtime?");
  await page.getByRole("button", { name: "open an account with this key" }).click();
  await expect(page.getByRole("banner").getByLabel("Account")).toHaveValue("sandbox-kye");
});

test("requests with an unknown key move no row, and can be opened and dismissed", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();
  const rows = page.getByRole("rowgroup", { name: "Requests" });
  await expect(rows.getByRole("row")).toHaveCount(1);
  const before = await rows.boundingBox();

  await postTo({ url: sandbox.url, consumerKey: "sandbox-kye", consumerSecret: "x" }, "/api/v2/airtime", {});
  const line = page.getByText("1 request with an unknown key");
  await expect(line).toBeVisible();
  await line.click();
  await expect(page.getByText("No account has the key sandbox-kye: send sandbox-key")).toBeInViewport({ ratio: 1 });
  const after = await rows.boundingBox();
  await page.getByRole("button", { name: "Dismiss" }).click();

  await expect(line).toHaveCount(0);
  expectNow(after).toEqual(before);
});

test("a reset says that earlier requests are gone", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await session.visit();
  await expect(page.getByRole("link", { name: /Airtime to \+254 712 345 678/ })).toBeVisible();

  await sandbox.reset();

  await expect(page.getByRole("status").getByText(/The account was reset at/)).toBeVisible();
});

test("an address that names no view says so and leads back", async () => {
  await using session = await openDashboard();
  const { page } = session;

  await session.visit("account/nothing");
  await expect(page.getByRole("main")).toContainText("There is nothing at account/nothing");
  await expect(page).toHaveTitle("Not found · Kredo");
  await page.getByRole("main").getByRole("link", { name: "Go to Requests" }).click();

  await expect(page).toHaveTitle("Requests · Kredo");
});

test("does not wait for an account that does not exist", async () => {
  await using session = await openDashboard();
  session.expectBreach(/status of 404/);

  await session.visit("account?account=nobody");

  await expect(session.page.getByRole("status").getByText("No account has the key nobody")).toBeVisible();
  await expect(session.page.getByText("Reading the journal…")).toBeHidden();
});
