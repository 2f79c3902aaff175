import * as fc from "fast-check";
import { expect, test } from "vitest";
import { configOutline } from "../../src/config/config-outline.ts";
import { configSchema } from "../../src/config/config-schema.ts";
import { CONFIG_READERS } from "../../src/config/readers.ts";
import { readOutlined } from "../../src/document/outline.ts";
import { ONCE } from "../../src/document/parse-document.ts";
import { writtenConfig } from "../support/config-arbitrary.ts";

const outline = configOutline();

const odd = fc.oneof(
  fc.constantFrom(null, undefined, true, false, 0, -1, 1.5, 70, 65_536, 1e21, Number.NaN, Infinity, [], {}, [1], { a: 1 }, new Date(0)),
  fc.constantFrom("", " ", "0", "70", "default", "a:b", "\u0007", "real", "x0", "x2", "mirror", "airtel", "10.005", "-1", "367d", "1.5s"),
  fc.constantFrom("http://", "http://a b", "https://a", "kredo:sink", "*.a.ke", "-", "::1", "+254700000001", "254700000001", "SANDBOX"),
  fc.jsonValue(),
);

/** A good config in which a few places hold something else, or whose keys are called something else. */
const spoilt = fc
  .tuple(writtenConfig, fc.array(fc.record({ at: fc.nat(), value: odd, rename: fc.option(fc.constantFrom("prot", "__proto__", "seed")) })))
  .map(([written, slips]) => slips.reduce<unknown>(spoil, written));

test("an outline gives what the schema gives, key by key in the same order, or leaves the value to it", () => {
  fc.assert(
    fc.property(fc.oneof(writtenConfig, spoilt), (written) => {
      const value = readOutlined(outline, written, CONFIG_READERS);

      const { data } = configSchema.safeParse(written, ONCE);
      expect([undefined, data]).toContainEqual(value);
      expect([undefined, JSON.stringify(data)]).toContain(JSON.stringify(value));
    }),
    { numRuns: 1_000 },
  );
});

test("reads an ordinary config without the schema", () => {
  const written = {
    port: 8_254,
    host: "0.0.0.0",
    profile: "statum",
    ucs2_concatenated: 67,
    duplicate_window: "5m",
    seed: 7,
    clock: "x10",
    carriers: { airtel: { discount: "6%", sms_price: "0.70" } },
    numbers: { ported: { "254722000111": "airtel" }, ported_share: 0.1 },
    scenarios: ["magic-numbers", "./scenarios/mine.yaml"],
    callback_allow: ["*.example.co.ke"],
    auto_accounts: ["test-*"],
    admin: { token: "secret", hosts: ["kredo.test"] },
    https: { port: 0, names: ["kredo.test"], ca_folder: "./ca" },
    log: { format: "json" },
    findings: { off: ["slow-receiver"] },
    accounts: [
      { balance: "10000.00", callbacks: { airtime: "kredo:sink", sms: "http://localhost:3000/" }, organization: { name: "Mfano Ltd" } },
      { consumer_key: "second", consumer_secret: "s3cret", clock: "manual" },
    ],
  };

  const value = readOutlined(outline, written, CONFIG_READERS);

  expect(value).toEqual(configSchema.parse(written));
});

test("an outline is the same again out of JSON", () => {
  expect(JSON.parse(JSON.stringify(outline))).toEqual(outline);
});

interface Slip {
  readonly at: number;
  readonly value: unknown;
  readonly rename: string | null;
}

/** Changes the so-manieth entry, counted through all that is inside, however deep. */
function spoil(written: unknown, slip: Slip): unknown {
  return change(written, { ...slip, at: slip.at % Math.max(1, countEntries(written)) });
}

function countEntries(value: unknown): number {
  return entriesOf(value).reduce((count, [, inner]) => count + 1 + countEntries(inner), 0);
}

function change(value: unknown, slip: Slip): unknown {
  const starts = entriesOf(value).map((_, index, all) => countEntries(all.slice(0, index).map(([, inner]) => inner)));
  const changed = entriesOf(value).map(([key, inner], index): [string, unknown] => {
    const at = slip.at - (starts[index] ?? 0);
    return at === 0
      ? [slip.rename ?? key, slip.rename === null ? slip.value : inner]
      : [key, at < 0 ? inner : change(inner, { ...slip, at: at - 1 })];
  });
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : entriesOf(value).length === 0 ? value : Object.fromEntries(changed);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
