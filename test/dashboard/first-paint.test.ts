import { expect, test } from "vitest";
import { openDashboard } from "./dashboard-session.ts";

const MOST_KB = 90;

test(`the page comes over the wire in one wave of at most ${MOST_KB} kB, and then works while the sandbox is down`, async () => {
  await using session = await openDashboard();
  const { page, sandbox } = session;
  session.expectBreach(/ERR_CONNECTION_REFUSED|net::/);
  await session.visit("requests");
  await page.getByRole("button", { name: "Send a test order" }).waitFor();

  // A Chromium without windows loads no icon by itself.
  await page.evaluate(async () => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    await (await fetch(icon?.href ?? "")).text();
  });
  const files = await page.evaluate(() =>
    performance.getEntries().flatMap((entry) => {
      if (!(entry instanceof PerformanceResourceTiming) || entry.name.includes("/__admin/")) return [];
      return [{ name: entry.name.replace(/.*\//, ""), kB: entry.transferSize / 1_000, by: entry.initiatorType }];
    }),
  );
  await sandbox.close();
  await page.getByRole("button", { name: "Send…" }).click();

  console.log(files);
  // What another Chromium loads by itself is that icon.
  const asked = files.filter(({ by }) => by !== "other");
  expect(new Set(asked.map(({ by }) => by))).toEqual(new Set(["navigation", "script", "link", "fetch"]));
  expect(new Set(files.map(({ name }) => name))).toHaveLength(4);
  expect(files.reduce((sum, { kB }) => sum + kB, 0)).toBeLessThan(MOST_KB);
  await page.getByRole("dialog", { name: "Send" }).getByLabel("Amount in KES").waitFor();
});
