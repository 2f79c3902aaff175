import { expect, test } from "vitest";
import { credentialsInUrl } from "../../src/findings/detectors/credentials-in-url.ts";
import { accepted, queried, refused, request, sightings } from "../support/finding-events.ts";

test("names the parameters that carried a secret", () => {
  const events = [queried("one", 0, { manner: { exposed: ["consumer_key", "consumer_secret"] } })];

  const seen = sightings(credentialsInUrl, events);

  expect(seen).toEqual([
    {
      subject: "consumer_key, consumer_secret",
      seen: "A request carried consumer_key, consumer_secret in its URL.",
      exchanges: [request("one")],
    },
  ]);
});

test("sees it in refused requests too", () => {
  const events = [refused("one", 0, { code: 401, manner: { exposed: ["token"] } })];

  expect(sightings(credentialsInUrl, events)).toHaveLength(1);
});

test.each([
  ["nothing is to be said of a request", [accepted("one", 0)]],
  ["something else is", [accepted("one", 0, { manner: { isFirstOnConnection: true } })]],
  ["no parameter was a secret", [accepted("one", 0, { manner: { exposed: [] } })]],
])("accuses nobody when %s", (_, events) => {
  expect(sightings(credentialsInUrl, events)).toEqual([]);
});
