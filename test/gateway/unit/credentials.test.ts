import { expect, test } from "vitest";
import { inventCredentials, seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";

test.each([undefined, "7 account 1"])("a key and a secret have forms of their own (label %j)", (label) => {
  const credentials = inventCredentials(seededRandom(), label);

  expect(credentials).toEqual({
    consumer_key: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/),
    consumer_secret: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(credentials.consumer_key).not.toContain(credentials.consumer_secret);
});

test("the same label gives the same credentials, another one others", () => {
  const [first, again, other] = ["7 account 1", "7 account 1", "7 account 2"].map((label) =>
    inventCredentials(seededRandom(), label),
  );

  expect(again).toEqual(first);
  expect(other?.consumer_key).not.toBe(first?.consumer_key);
  expect(other?.consumer_secret).not.toBe(first?.consumer_secret);
});

test("without a label nobody sees the same credentials twice", () => {
  const first = inventCredentials(seededRandom());

  const second = inventCredentials(seededRandom());

  expect(second.consumer_key).not.toBe(first.consumer_key);
  expect(second.consumer_secret).not.toBe(first.consumer_secret);
});
