import { expect, test } from "vitest";
import { inventCredentials, seededRandom } from "../../src/adapters/random/seeded-random.ts";

test.each([undefined, "7 account 1"])("a key and a secret have forms of their own (label %j)", (label) => {
  const credentials = inventCredentials(seededRandom(), label);

  expect(credentials).toEqual({
    consumerKey: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/),
    consumerSecret: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(credentials.consumerKey).not.toContain(credentials.consumerSecret);
});

test("the same label gives the same credentials, another one others", () => {
  const [first, again, other] = ["7 account 1", "7 account 1", "7 account 2"].map((label) => inventCredentials(seededRandom(), label));

  expect(again).toEqual(first);
  expect(other?.consumerKey).not.toBe(first?.consumerKey);
  expect(other?.consumerSecret).not.toBe(first?.consumerSecret);
});

test("without a label nobody sees the same credentials twice", () => {
  const first = inventCredentials(seededRandom());

  const second = inventCredentials(seededRandom());

  expect(second.consumerKey).not.toBe(first.consumerKey);
  expect(second.consumerSecret).not.toBe(first.consumerSecret);
});
