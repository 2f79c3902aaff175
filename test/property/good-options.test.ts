import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { readGoodOptions } from "../../src/cli/good-options.ts";
import { readServeOptions } from "../../src/cli/serve-options.ts";
import { configOutline } from "../../src/config/config-outline.ts";
import type { Files } from "../../src/ports/files.ts";
import { shippedScenarios } from "../../src/simulator-scenarios.ts";
import { Unbuilt } from "../../src/simulator-shipped.ts";
import { writtenConfig } from "../support/config-arbitrary.ts";

const BUILT = { outline: configOutline(), shipped: shippedScenarios };

const flag = fc.oneof(
  fc.constantFrom("--port=1", "--port=x", "--seed=7", "--clock=x10", "--clock=never", "--no-hints", "--watch", "--data=d.db", "--prot=1"),
  fc.constantFrom(
    "--consumer-key=second",
    "--consumer-key=a:b",
    "--balance=5",
    "--balance=5.005",
    "--host=::",
    "--host=a b",
    "--latency=0",
  ),
  fc.constantFrom("--scenario=callback-never", "--scenario=happy-path", "--scenario=hapy-path", "--scenario=./mine.yaml", "--https"),
  fc.constantFrom("--config=kredo.config.yaml", "--config=b.yaml", "--callback-url=http://a/", "--callback-url=a", "--https-names=a.b, c"),
);

const env = fc.record(
  {
    KREDO_PORT: fc.constantFrom("2", "tcp://10.0.0.1:8254", "", "70000"),
    KREDO_SCENARIO: fc.constantFrom("", "happy-path", "happy-path, callback-never", "none"),
    KREDO_CONFIG: fc.constantFrom("b.yaml", ""),
    KREDO_CONFIG_INLINE: fc.constantFrom("port: 5", ""),
    KREDO_HINTS: fc.constantFrom("true", "0", "maybe"),
    KREDO_PROT: fc.constant("1"),
    KREDO_EXPORT_ON_EXIT: fc.constant("left.json"),
    HOME: fc.constant("/"),
  },
  { requiredKeys: [] },
);

const text = fc.oneof(
  writtenConfig.map((config) => stringify(config)),
  fc.constantFrom(
    "port: 4",
    "port: 65536",
    "scenarios: []",
    "scenarios: [happy-path, magic-numbers]",
    "scenarios: [nothing]",
    "prot: 1",
    "{",
  ),
  fc.constantFrom("accounts: [{ balance: 5 }]", "accounts: [{}, { consumer_key: second }]", "accounts: [{}, {}]", "balance: 1", ""),
);

const files = fc
  .record({ "kredo.config.yaml": text, "kredo.config.yml": text, "b.yaml": text }, { requiredKeys: [] })
  .map((texts: Readonly<Record<string, string>>): Files => ({
    read: (path) => (texts[path] === undefined ? { missing: true } : { text: texts[path] }),
  }));

test("options that are plainly good are those that the full reader gives, which has nothing to say of them", () => {
  fc.assert(
    fc.property(fc.array(flag, { maxLength: 3 }), env, files, (argv, variables, there) => {
      const options = readGoodOptions({ argv, env: variables, files: there }, BUILT);

      expect([undefined, readServeOptions(argv, variables, there)]).toContainEqual(options);
    }),
    { numRuns: 600 },
  );
});

test("an ordinary start needs no other reader", () => {
  const config = 'seed: 7\nscenarios: [bad-afternoon]\naccounts:\n  - balance: "20.00"\n';
  const there: Files = { read: (path) => (path === "mine.yaml" ? { text: config } : { missing: true }) };

  const options = readGoodOptions({ argv: ["--config", "mine.yaml", "--port", "0"], env: { KREDO_CLOCK: "manual" }, files: there }, BUILT);

  expect(options).toMatchObject({
    settings: { port: 0, seed: 7, clock: { mode: "manual" }, accounts: [{ balance: 2_000 }] },
    scenarios: [{ scenario: { name: "bad-afternoon" } }, { scenario: { name: "magic-numbers" } }],
    configFile: "mine.yaml",
  });
});

test("what was changed since the build is left to the full reader", () => {
  const shipped = { ...shippedScenarios, find: refuse };

  expect(readGoodOptions({ argv: [], env: {}, files: { read: () => ({ missing: true }) } }, { ...BUILT, shipped })).toBeUndefined();
});

function refuse(): never {
  throw new Unbuilt("scenarios/magic-numbers.yaml was changed after the build");
}
