import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { initialState } from "../../../src/gateway/account/state.ts";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import { type Experiment, experimentWith, scenarioOf } from "../../../src/verdict/exploration/experiment.ts";
import { provenReplay, type Replay } from "../../../src/verdict/exploration/replay.ts";
import type { Result } from "../../../src/verdict/exploration/result.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { AccountTakenOver } from "../../../src/verdict/trial/environment.ts";
import { defectOf, experiment, faultAt, named, resultOf, StubbornApplication } from "../../support/experiments.ts";
import { accepted, opened } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

/** Plays the replay of a result at a gateway that accepts each order and delivers none. */
async function replayed(result: Result | undefined, claim: Claimed["claim"], gateway = "accepts") {
  const order = { request: { method: "POST", url: "{app}/orders", json: "{reference}" } } as const;
  const application = new StubbornApplication(claim, 201, { order: { airtime: order, sms: order } });
  let begun: readonly AccountEvent[] = [];
  const account = {
    ...IDLE_ACCOUNT,
    begin: async (events: readonly AccountEvent[]) => {
      begun = events;
    },
    journal: async () => {
      const requests = application.placed.map(({ operation, amount, message, phoneNumber }, at) => {
        const order = operation === "sms" ? sms(message, phoneNumber) : airtime(amount, phoneNumber);
        return accepted(`r${at}`, at, { order });
      });
      const beginning = gateway === "is taken over" ? [opened()] : begun;
      return { first: 1, events: [...beginning, ...(gateway === "gets nothing" ? [] : requests)] };
    },
  };
  const environment = { ...trialEnvironment(), account, seed: 7 };
  const replay = await provenReplay(result ?? resultOf(), {
    application,
    environment,
    before: initialState(opened()),
    runId: "run",
  });
  return { replay, placed: application.placed };
}

/** An experiment that was played and showed this. */
function shown(of: Experiment, id = "paid-never-delivered"): Result {
  const orders = of.orders.map((_, at) => ({ ...ORDER, phoneNumber: `25471200000${at}`, amount: 50 + at }));
  const steps = of.steps?.(orders) ?? [{ place: orders, isAtOnce: true }];
  const scenario = scenarioOf(orders.map(({ phoneNumber }, at) => ({ phoneNumber, faults: of.orders[at]?.faults })));
  return resultOf({
    experiment: of,
    defect: { ...defectOf(id, "it was seen"), title: "lies" },
    played: { scenario, steps },
  });
}

function written(replay: Replay | undefined): unknown {
  const parsed = parseRehearsal(replay?.text ?? "", "found.yaml");
  return "rehearsal" in parsed ? parsed.rehearsal : parsed.problems;
}

function rehearsalSteps(replay: Replay | undefined): readonly object[] {
  const parsed = parseRehearsal(replay?.text ?? "", "found.yaml");
  return "rehearsal" in parsed ? parsed.rehearsal.steps : [];
}

test("one order is replayed with its amount, its faults and the seed, for a new number", async () => {
  const { replay, placed } = await replayed(shown(experiment("callback-late")), "paid");

  expect(replay).toMatchObject({ trial: "airtime-1-callback-late", file: "airtime-1-callback-late.yaml" });
  expect(written(replay)).toMatchObject({
    seed: 7,
    description: "When the callback is sent one hour late, the application lies. Seen: it was seen.",
    scenario: { rules: [{ when: { operation: "airtime", nth: 1 }, then: { callback: { delay: "1h" } } }] },
    steps: [{ order: [{ operation: "airtime", amount: 50 }] }],
  });
  expect(placed).toMatchObject([{ amount: 50 }]);
  expect(placed[0]?.phoneNumber).not.toBe("254712000000");
});

test("what was seen only later is replayed with as long a wait after the result", async () => {
  const { replay } = await replayed({ ...shown(experiment()), lookedAfter: 5_120 }, "paid");

  const [first, ...waiting] = rehearsalSteps(replay);
  expect(first).toMatchObject({ order: [{ operation: "airtime" }] });
  expect(waiting).toEqual([{ advance: 60_000 }, { wait: 5_120 }]);
});

test("several orders are replayed at once or in turn, as they were placed, with their numbers", async () => {
  const [both, inTurn] = [named("unanswered-beside-unknown"), named("first-of-two-fails")].map((of) => shown(of));
  const orders = [50, 51].map((amount, at) => ({ operation: "airtime", phone_number: `25471200000${at}`, amount }));
  const rules = orders.map(({ phone_number }) => ({ when: { phone_number } }));

  expect(written((await replayed(both, "paid")).replay)).toMatchObject({
    scenario: { rules },
    steps: [{ order: orders }],
  });
  expect(written((await replayed(inTurn, "paid")).replay)).toMatchObject({
    steps: orders.map((one) => ({ order: [one] })),
  });
});

test("what happens to an SMS to several is replayed with its number, unless it is the first request", async () => {
  const numbers = [1, 2].map(async (nth) => {
    const at = { operation: "sms", isDetails: false, nth } as const;
    const of = experimentWith("sms", [faultAt("callback-late", at)]);
    const order = { ...ORDER, operation: "sms", message: "Hi", recipients: ["254712000009"] } as const;
    const played = { scenario: scenarioOf(of.orders), steps: [{ place: [order], isAtOnce: true }] };
    const { replay } = await replayed({ ...shown(of), played }, "paid");
    return written(replay);
  });

  expect(await Promise.all(numbers)).toMatchObject([
    { steps: [{ order: [expect.not.objectContaining({ phone_number: expect.anything() })] }] },
    { steps: [{ order: [{ phone_number: ORDER.phoneNumber }] }] },
  ]);
});

test("what happens between two orders is replayed between them", async () => {
  const { replay } = await replayed(shown(experiment("credentials-revoked")), "paid");

  expect(written(replay)).toMatchObject({ steps: [{ order: [{}] }, { advance: 1 }, { order: [{}] }] });
});

test.each([
  ["that it shows", "paid-never-delivered", "paid", true],
  ["that it does not show", "paid-never-delivered", "open", false],
  ["other than that which it shows", "sold-twice", "paid", false],
  ["of several orders, of which it shows one", "mixed-up-orders", "paid", true],
] as const)("a replay is offered for a defect %s: %s", async (_what, id, claim, isOffered) => {
  const { replay, placed } = await replayed(shown(experiment("callback-late"), id), claim);

  expect({ isOffered: replay !== undefined, isPlayed: placed.length > 0 }).toEqual({ isOffered, isPlayed: true });
});

test.each([
  ["a restart", shown(named("restart-after-order"))],
  ["an order that was placed twice", shown(named("same-order-twice"))],
  ["a profile", shown({ ...experiment("callback-late"), profile: { callback_values: "text" } })],
  ["no defect", { ...shown(experiment("callback-late")), defect: undefined }],
])("a trial with %s has no replay, and none is played", async (_what, result) => {
  expect(await replayed(result, "paid")).toEqual({ replay: undefined, placed: [] });
});

test("a replay that has no verdict is not offered, and one whose account is taken over ends the exploration", async () => {
  const result = shown(experiment("callback-late"));

  expect((await replayed(result, "paid", "gets nothing")).replay).toBeUndefined();
  await expect(replayed(result, "paid", "is taken over")).rejects.toThrow(AccountTakenOver);
});
