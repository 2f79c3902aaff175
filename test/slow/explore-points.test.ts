import { expect, test } from "vitest";
import { defectsIn, only, exploreMutant, exploreSound, replayMutant } from "../support/explored.ts";

test.concurrent("points that a retry uncovers are explored too", async () => {
  const { json } = await exploreSound("queue worker", only(["refused-429", "reset-after-accept"]));

  expect(defectsIn(json)).toEqual([]);
  expect(json.trials.map(({ id }) => id)).toContain("airtime-1-refused-429-and-airtime-2-reset-after-accept");
});

test.concurrent("questions for account details are points too: those of a plain order, and those that a fault brings about", async () => {
  const [asksBefore, asksAfterSilence] = await Promise.all([
    exploreMutant("keeps the money when it cannot read its balance", only(["refused-500", "hang-before-accept"])),
    exploreMutant(
      "fails an order after silence when it cannot read its balance",
      only(["reset-after-accept", "reset-before-accept"]),
    ),
  ]);

  expect(defectsIn(asksBefore.json)).toEqual([
    expect.objectContaining({
      id: "not-refunded",
      sentence: expect.stringContaining(
        "refuses with 500, internal server error (1st account-details request (airtime)), the application keeps",
      ),
      trials: ["airtime-details-1-refused-500", "airtime-details-1-hang-before-accept"],
    }),
  ]);
  expect(defectsIn(asksAfterSilence.json)).toEqual([
    expect.objectContaining({
      id: "delivered-shown-failed",
      trials: expect.arrayContaining(["airtime-1-reset-after-accept-and-airtime-details-1-reset-before-accept"]),
    }),
  ]);
});

test.concurrent("credentials that are revoked between two orders show what becomes of the first", async () => {
  const replayed = await replayMutant(
    "fails every open order after a 401",
    only(["refused-401", "credentials-revoked"]),
  );

  expect(replayed).toMatchObject([{ shown: expect.arrayContaining(["delivered-shown-failed"]), repaired: 0 }]);
});

test.concurrent("what is not refunded after the credentials are revoked is told as that, also where two orders share a balance", async () => {
  const { json } = await exploreMutant("never refunds", only(["credentials-revoked"]));

  expect(defectsIn(json).map(({ id }) => id)).toEqual(["not-refunded"]);
  const exchanges = json.trials.find(({ id }) => id === "airtime-1-credentials-revoked")?.exchanges ?? [];
  expect(
    exchanges
      .map(({ title, outcome }) => `${title.split(" ").slice(0, 2).join(" ")} → ${outcome.slice(0, 3)}`)
      .toSorted(),
  ).toEqual(["POST /api/v2/airtime → 200", "POST /api/v2/airtime → 401", "callback 1 → sai"]);
});
