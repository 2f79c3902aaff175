import { expect, test } from "vitest";
import { contentKey } from "../../../src/gateway/domain/draws.ts";
import { configSchema, type SandboxSettings } from "../../../src/config.ts";
import { PROFILES, PROFILE_DEFAULTS } from "../../../src/gateway/settings/profiles.ts";

test("an account takes the sandbox's clock where it has none of its own, and a seed: the first the sandbox's, others one made of it and their key", () => {
  const { accounts } = resolve({
    seed: 7,
    clock: "manual",
    accounts: [{}, { consumer_key: "b", seed: 8, clock: "real" }, { consumer_key: "c" }],
  });

  expect(accounts.map(({ consumer_key: key, seed, clock }) => ({ key, seed, clock }))).toEqual([
    { key: "sandbox-key", seed: 7, clock: { mode: "manual" } },
    { key: "b", seed: 8, clock: { mode: "real" } },
    { key: "c", seed: contentKey("7|c"), clock: { mode: "manual" } },
  ]);
});

test.each(PROFILES)("profile %s is a table of defaults", (profile) => {
  expect(resolve({ profile }).gateway).toMatchObject({ profile, ...PROFILE_DEFAULTS[profile] });
});

test.each(PROFILES)("each setting of profile %s can be written by itself", (profile) => {
  const { refusals } = resolve({ profile, refusals: { sentences: "kredo" } }).gateway;

  expect(refusals).toEqual({ ...PROFILE_DEFAULTS[profile].refusals, sentences: "kredo" });
});

test.each([
  [{ latency_ms: 0 }, { airtime: { fixed: 0 }, sms: { fixed: 0 } }],
  [
    { latency_ms: 5, carriers: { airtel: { latency: "2s" } } },
    { airtime: { fixed: 5 }, sms: { fixed: 5 } },
  ],
  [{ carriers: { airtel: { latency: "2s" } } }, { airtime: { fixed: 2_000 }, sms: { fixed: 2_000 } }],
  [
    { carriers: { airtel: { latency: { uniform: ["1s", "2s"] } } } },
    { airtime: { uniform: [1_000, 2_000] }, sms: { uniform: [1_000, 2_000] } },
  ],
  [
    { carriers: { airtel: { latency: { airtime: "1s" } } } },
    { airtime: { fixed: 1_000 }, sms: { lognormal: { median: 900, sigma: 0.5 } } },
  ],
])("%j makes Airtel take %j", (written, latency) => {
  expect(resolve(written).gateway.carriers.airtel.latency).toEqual(latency);
});

function resolve(written: unknown): SandboxSettings {
  return configSchema.parse(written);
}
