import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { contentKey } from "../../../src/gateway/domain/draws.ts";
import { configSchema, type SandboxSettings } from "../../../src/config.ts";
import { PROFILES, READINGS } from "../../../src/gateway/settings/readings.ts";
import { parseInstant } from "../../../src/gateway/domain/time.ts";

test("every setting of an account can be written", () => {
  const written = {
    consumer_key: "a",
    consumer_secret: "b:c",
    seed: 3,
    organization: {
      name: "Mfano Ltd",
      location: "Nairobi",
      website: "https://mfano.example",
      office_email: "a@mfano.example",
      office_mobile: "+254712345678",
      top_up_code: "B1",
      accounts: [],
    },
  };
  const callbacks = {
    concurrency: 2,
    headers: { "X-Token": "y" },
    ca: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    insecure: true,
  };
  const [airtime, sms] = ["https://example.co.ke/hooks?token=x", "kredo:sink"];

  const { accounts } = resolve({
    accounts: [
      {
        ...written,
        balance: "1.05",
        clock: { mode: "manual", now: "2025-02-03T04:05:06+03:00" },
        callbacks: {
          ...callbacks,
          airtime,
          sms,
          timeout: "1s",
          retry: { attempts: 3, spacing: ["1s", "1m"], on: ["not_200"] },
        },
        sender_ids: ["A", { sender_id: "B", carriers: ["airtel"] }, { sender_id: "C", carriers: [] }],
        rate_limit: { requests: 5, per: "1m" },
      },
    ],
  });

  expect(accounts).toEqual([
    {
      ...written,
      any_secret: false,
      balance: 105,
      clock: { mode: "manual", start: parseInstant("2025-02-03T01:05:06Z") },
      callbacks: {
        ...callbacks,
        urls: { airtime: { url: airtime, trusted: true }, sms: { url: sms, trusted: true } },
        timeout: 1_000,
        retry: { attempts: 3, spacing: [1_000, 60_000], on: ["not_200"] },
      },
      sender_ids: [
        { sender_id: "A", carriers: CARRIERS },
        { sender_id: "B", carriers: ["airtel"] },
        { sender_id: "C", carriers: [] },
      ],
      rate_limit: { requests: 5, per: 60_000 },
    },
  ]);
});

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
  expect(resolve({ profile }).gateway).toMatchObject({ profile, ...READINGS[profile] });
});

test.each(PROFILES)("each setting of profile %s can be written by itself", (profile) => {
  const { refusals } = resolve({ profile, refusals: { limits: "fixed" } }).gateway;

  expect(refusals).toEqual({ ...READINGS[profile].refusals, limits: "fixed" });
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
