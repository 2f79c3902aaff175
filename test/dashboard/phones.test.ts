import { test } from "vitest";
import { atFirstSight } from "./at-first-sight.ts";
import { openDashboard } from "./dashboard-session.ts";
import { sendAirtime, sendSms } from "./traffic.ts";
import { expect } from "./visitor.ts";

test("a top-up is seen arriving on its phone", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await session.visit("phones");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await sendAirtime(sandbox, "254712345678", "100");
  await page
    .getByRole("list", { name: "Phones, newest first" })
    .getByRole("link", { name: "+254 712 345 678" })
    .click();
  const bubble = page.getByRole("list", { name: "Messages, newest last" }).getByRole("article");
  await expect(bubble).toContainText("On its way");
  await sandbox.clock.advance("5s");

  await expect(bubble).toContainText("KES 100.00 of airtime has been added to this number.");
  await expect(bubble).toContainText("Arrived 09:00:00");
  await expect(bubble).not.toContainText("On its way");
});

test("a message shows as the handset got it, with sender, parts and cost", async () => {
  await using session = await openDashboard();
  await sendSms(session.sandbox, "254733456789", "Asante sana 🙏 na karibu tena");
  await session.sandbox.clock.advance("10s");

  await session.visit("phones/254733456789");

  const bubble = session.page.getByRole("article");
  await expect(bubble.getByText("Asante sana 🙏 na karibu tena", { exact: true })).toBeVisible();
  await expect(bubble).toContainText("SANDBOX");
  await expect(bubble).toContainText("UCS-2");
  await expect(bubble).toContainText("0.80");
});

test("markup and right-to-left marks in a message are text", async () => {
  const message = 'Bei\u202E 50 <script>document.title = "x"</script><img src=x onerror="document.title = 1">';
  await using session = await openDashboard();
  await sendSms(session.sandbox, "254712345678", message);
  await session.sandbox.clock.advance("10s");

  await session.visit("phones/254712345678");

  const text = session.page.getByRole("article").getByText(message, { exact: true });
  await expect(text).toBeVisible();
  await expect(text).toHaveAttribute("dir", "auto");
  await expect(session.page).toHaveTitle(/Kredo/);
  await expect(session.page.locator("body script, body img")).toHaveCount(0);
});

test("what came meanwhile is marked unread until its phone is opened", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendSms(sandbox, "254712345678", "Habari");
  await sendSms(sandbox, "254733456789", "Jambo");
  await sandbox.clock.advance("10s");
  await session.visit("phones");
  const row = page.getByRole("link", { name: /\+254 712 345 678/ });
  await expect(row).toHaveAccessibleName(/1 unread/);

  await row.click();
  await expect(page.getByRole("article")).toContainText("Habari");

  await expect(row).not.toHaveAccessibleName(/unread/);
  await expect(page.getByRole("link", { name: /\+254 733 456 789/ })).toHaveAccessibleName(/1 unread/);
});

test("search finds the phone by what was written to it", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendSms(sandbox, "254712345678", "Your code is 482913");
  await sendSms(sandbox, "254733456789", "Jambo");
  await sandbox.clock.advance("10s");
  await session.visit("phones");
  const rows = page.getByRole("list", { name: "Phones, newest first" }).getByRole("link");
  await expect(rows).toHaveCount(2);

  await page.keyboard.press("/");
  await page.keyboard.type("482913");

  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName(/\+254 712 345 678/);
});

test("each of the keys pressed one right after the other goes on to the next phone", async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  await sendAirtime(sandbox, "254712345678", "100");
  await sendAirtime(sandbox, "254733456789", "100");
  await sendAirtime(sandbox, "254770000001", "100");
  await session.visit("phones");
  const rows = page.getByRole("list", { name: "Phones, newest first" }).getByRole("link");
  await expect(rows).toHaveCount(3);

  await atFirstSight(page, { sight: ".phone-row", focus: true, keys: ["j", "j"] });

  await expect(rows.nth(2)).toBeFocused();
});

test("on a narrow page, the focus is in the phone as soon as it opens, and in its row as soon as it is closed", async () => {
  await using session = await openDashboard({}, { viewport: { width: 390, height: 1_000 } });
  const { page, sandbox } = session;
  for (const digit of "0123456789") await sendAirtime(sandbox, `25471234567${digit}`, "100");
  await session.visit("phones");
  const rows = page.getByRole("list", { name: "Phones, newest first" }).getByRole("link");
  await expect(rows).toHaveCount(10);

  await atFirstSight(page, { place: "phones/254712345671", sight: ".phone-open .back", focus: true });
  await expect(page.getByRole("link", { name: "All phones" })).toBeFocused();
  await expect(rows).toHaveCount(0);
  await atFirstSight(page, { sight: ".phone-open", keys: ["Escape", "j"] });

  await expect(page.getByRole("link", { name: /\+254 712 345 670/ })).toBeFocused();
});
