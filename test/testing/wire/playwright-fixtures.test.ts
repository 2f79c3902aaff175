import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const ROOT = new URL("../../../", import.meta.url).pathname;

test("Playwright's own runner gives each test an account, and closes it", async () => {
  const folder = folderHere();
  writeFileSync(
    join(folder, "playwright.config.ts"),
    'export default { testDir: ".", outputDir: "results", workers: 1, reporter: "line" };\n',
  );
  writeFileSync(
    join(folder, "shop.spec.ts"),
    `import { expect } from "@playwright/test";
    import { test } from "../../src/testing/fixtures/playwright.ts";

    let first: { wallet: { read(): Promise<unknown> } } | undefined;

    test("has an account", async ({ account, sandbox }) => {
      first = account;
      expect(account.consumerKey).not.toBe(sandbox.consumerKey);
      expect(await account.clock.read()).toMatchObject({ mode: "manual" });
    });

    test("has another one", async () => {
      await expect(first?.wallet.read()).rejects.toMatchObject({ status: 404 });
    });

    test.describe("with options", () => {
      test.use({ accountOptions: { balance: "5.00" } });
      test("adds them to a clock that stands still", async ({ account }) => {
        expect(await account.wallet.read()).toMatchObject({ available: 5 });
        expect(await account.clock.read()).toMatchObject({ mode: "manual" });
      });
    });
    `,
  );

  const { stdout } = await promisify(execFile)(
    "npx",
    ["playwright", "test", "--config", join(folder, "playwright.config.ts")],
    {
      cwd: ROOT,
    },
  );

  expect(stdout).toContain("3 passed");
});

/** Within the project, so that its packages are found. */
function folderHere(): string {
  const parent = join(ROOT, "dist");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
