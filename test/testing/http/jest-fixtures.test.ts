import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestAccount, useAccount } from "../../../src/testing/fixtures/jest.ts";
import { type Account, type AccountOptions, createSandbox } from "../../../src/index.ts";

/** Jest gives its hooks to each file as globals; Vitest's are called in the same order. */
function useAccountInJest(options?: AccountOptions): TestAccount {
  for (const [name, hook] of Object.entries({ beforeAll, beforeEach, afterEach, afterAll })) vi.stubGlobal(name, hook);
  const kredo = useAccount(options);
  vi.unstubAllGlobals();
  return kredo;
}

const seen: Account[] = [];

describe("one test after another", () => {
  const kredo = useAccountInJest();
  // Read before the first test, which is a mistake.
  const tooEarly = [() => kredo.account, () => kredo.sandbox].map(messageOf);

  test("has an account of its own, whose clock stands still", async () => {
    seen.push(kredo.account);

    expect(kredo.account.consumerKey).not.toBe(kredo.sandbox.consumerKey);
    expect(await kredo.account.clock.read()).toMatchObject({ mode: "manual" });
  });

  test("and the next one has another, when the first is gone", async () => {
    expect(kredo.account.consumerKey).not.toBe(seen[0]?.consumerKey);
    await expect(seen[0]?.wallet.read()).rejects.toMatchObject({ name: "ControlError", status: 404 });
  });

  test("says where an account can be read", () => {
    expect(tooEarly).toEqual([
      "there is no account before the first test; read it within a test or a hook",
      "there is no sandbox before the first test; read it within a test or a hook",
    ]);
  });
});

describe("with options", () => {
  const kredo = useAccountInJest({ balance: "5.00" });

  test("adds them to a clock that stands still", async () => {
    expect(await kredo.account.wallet.read()).toMatchObject({ available: 5 });
    expect(await kredo.account.clock.read()).toMatchObject({ mode: "manual" });
  });
});

describe("beside a sandbox that runs", async () => {
  const running = await createSandbox();
  beforeAll(() => void vi.stubEnv("KREDO_URL", running.url));
  afterAll(async () => {
    vi.unstubAllEnvs();
    await running.close();
  });
  const kredo = useAccountInJest();

  test("opens the account there", async () => {
    expect(kredo.sandbox.url).toBe(running.url);
    expect((await running.fetch("/api/v2/account-details")).status).toBe(200);
  });
});

test("closes the sandbox and its accounts once the tests are over", async () => {
  await expect(seen[0]?.wallet.read()).rejects.toMatchObject({ name: "SandboxClosedError" });
});

function messageOf(read: () => unknown): string | undefined {
  try {
    return String(read());
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
