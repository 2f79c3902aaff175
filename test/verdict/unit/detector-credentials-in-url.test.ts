import { expect, test } from "vitest";
import { credentialsInUrl } from "../../../src/verdict/checks/credentials-in-url.ts";
import { accepted, queried, refused, request, observationsOf } from "../../support/finding-events.ts";

test("names the parameters that carried a secret", () => {
  const events = [queried("one", 0, { traits: { exposed: ["consumer_key", "consumer_secret"] } })];

  const seen = observationsOf(credentialsInUrl, events);

  expect(seen).toEqual([
    {
      subject: "consumer_key, consumer_secret",
      seen: "A request carried consumer_key, consumer_secret in its URL.",
      exchanges: [request("one")],
    },
  ]);
});

test("sees it in refused requests too", () => {
  const events = [refused("one", 0, { code: 401, traits: { exposed: ["token"] } })];

  expect(observationsOf(credentialsInUrl, events)).toHaveLength(1);
});

test.each([
  ["nothing is to be said of a request", [accepted("one", 0)]],
  ["something else is", [accepted("one", 0, { traits: { isFirstOnConnection: true } })]],
  ["no parameter was a secret", [accepted("one", 0, { traits: { exposed: [] } })]],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(credentialsInUrl, events)).toEqual([]);
});
