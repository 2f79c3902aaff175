import { expect, test } from "vitest";
import { newOrder } from "../../../src/verdict/application/new-order.ts";
import { rehearsalNames, rehearsalText, shippedRehearsal } from "../../support/rehearsed.ts";

const NAMES = rehearsalNames();

test("at least eight rehearsals are shipped", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(8);
});

test.each(NAMES)("%s is right, and is called what its file is called", (name) => {
  expect(shippedRehearsal(name).name).toBe(name);
});

test.each(NAMES)("%s names its schema for editors, and what a good backend does", (name) => {
  const text = rehearsalText(name);

  expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=../../schema/rehearsal.schema.json");
  expect(text).toMatch(/[Aa] good\s(# )?backend/);
  expect(text).toMatch(/^version: 1\nname: .+\ndescription: [A-Z].+\.$/m);
});

test.each(NAMES)("%s knows the application by its map alone", (name) => {
  expect(rehearsalText(name)).not.toMatch(/https?:|\{app\}/);
});

test("no two rehearsals use the same block of phone numbers, for a backend may still wait for a result of the one before", () => {
  const blocks = NAMES.flatMap((name) => [...new Set(rehearsalText(name).match(/254712\d{4}/g))]);

  expect(new Set(blocks).size).toBe(blocks.length);
});

test.each(NAMES)("%s has a wallet that covers its airtime, unless it looks at what follows a 402", (name) => {
  const { steps } = shippedRehearsal(name);
  const balance = Number(/balance: "(.+?)"/.exec(rehearsalText(name))?.[1] ?? 10_000);
  const orders = steps
    .flatMap(({ order = [] }) => order)
    .flatMap((one) => (one.operation === "airtime" ? Array.from({ length: one.count }, () => one) : []));

  const costs = [0, 1, 7, 2_026, 123_456_789].map((seed) =>
    orders.reduce(
      (sum, { amount }, index) =>
        sum + (amount ?? newOrder("airtime", { seed, startedAt: 0, draw: index, map: {} }).amount),
      0,
    ),
  );
  expect(Math.max(...costs) > balance).toBe(name === "empty-wallet");
});
