import { describe, expect } from "vitest";
import type { Account } from "../../../src/index.ts";
import { test } from "../../../src/testing/fixtures/vitest.ts";

const seen: Account[] = [];

describe("one test after another", () => {
  test("has an account of its own, whose clock stands still", async ({ account, sandbox }) => {
    seen.push(account);

    expect(account.consumerKey).not.toBe(sandbox.consumerKey);
    expect(await account.clock.read()).toMatchObject({ mode: "manual" });
  });

  test("and the next one has another, when the first is gone", async ({ account, sandbox }) => {
    expect(account.consumerKey).not.toBe(seen[0]?.consumerKey);
    await expect(seen[0]?.wallet.read()).rejects.toMatchObject({ name: "ControlError", status: 404 });
    expect((await sandbox.fetch("/api/v2/account-details")).status).toBe(200);
  });
});

const poor = test.extend({ accountOptions: { balance: "5.00" } });

poor("adds the options to a clock that stands still", async ({ account }) => {
  expect(await account.wallet.read()).toMatchObject({ available: 5 });
  expect(await account.clock.read()).toMatchObject({ mode: "manual" });
});

const shop = test
  .extend({ shop: async ({ account }, use) => use(account.consumerKey) })
  .extend({ accountOptions: { clock: "real", balance: "5.00" } });

shop("takes options, a clock among them, after another extension", async ({ account, shop: key }) => {
  expect(key).toBe(account.consumerKey);
  expect(await account.wallet.read()).toMatchObject({ available: 5 });
  expect(await account.clock.read()).toMatchObject({ mode: "real" });
});
