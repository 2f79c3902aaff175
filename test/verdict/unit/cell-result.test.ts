import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { jsonPathValue } from "../../../src/verdict/application/json-path.ts";
import { type Cell, ruleNameOf } from "../../../src/verdict/exploration/cell.ts";
import {
  type CellResult,
  combineResults,
  resultOf,
  withoutTimedVerdict,
} from "../../../src/verdict/exploration/cell-result.ts";
import { ApplicationEnded, expectRunning } from "../../../src/verdict/exploration/ended.ts";
import { exploredCell, replayOf } from "../../../src/verdict/exploration/explored-cell.ts";
import { describeUnexplored } from "../../../src/verdict/exploration/unexplored.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { verdictWithoutExchanges, type Verdict } from "../../../src/verdict/verdict.ts";
import { readReportTimeline } from "../../../src/verdict/report/timeline.ts";
import { onlyWithProfileChange } from "../../../src/verdict/exploration/profile-cells.ts";
import { specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import { BARE_MAP, cell, placed } from "../../support/explored-cells.ts";
import { accepted, appliedRules, attempted, cut, queried, settled, unread } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const OWN = airtime(50, ORDER.phoneNumber);
const RIGHT = verdictWithoutExchanges({ is: "right", id: "order", title: "", seen: "1 delivered" });
const LOST = verdictWithoutExchanges({ is: "defect", id: "outcome-lost", title: "forgets", seen: "open" });

interface Options {
  readonly of?: Cell;
  readonly verdicts?: Verdict[];
  readonly isAlone?: boolean;
  readonly evidence?: Partial<OrderEvidence>;
}

/** The result of a cell's order after these events, by default of one that is right and was alone. */
function result(
  events: readonly AccountEvent[],
  { of = cell(), verdicts = [RIGHT], isAlone = true, evidence = {} }: Options = {},
): CellResult {
  const kept = { first: 1, events };
  const run = {
    kept,
    timeline: readReportTimeline(kept),
    isAlone,
    hasExtraDetailsRequests: false,
    durationMillis: 5.4,
    known: new Set(["known"]),
  };
  return resultOf({ cell: of, order: evidenceOf(ORDER, events, evidence) }, verdicts, run);
}

function fired(rule: string): { rules: ReturnType<typeof appliedRules> } {
  return { rules: appliedRules({ fired: [{ scenario: "explored", rule }] }) };
}

test("a result has the exchanges of its own order, and of account details if it was alone", () => {
  const events = [
    queried("d", 0),
    cut("a", 1, { order: OWN }),
    accepted("x", 2, { order: airtime(50, "254712000009") }),
    queried("e", 3),
    accepted("b", 4, { order: OWN }),
    settled("b", 5),
    attempted("b", 5),
  ];

  const alone = result(events);
  const beside = result(events, { isAlone: false });

  expect(alone.timeline.map(({ request_id }) => request_id)).toEqual(["d", "a", "e", "b", "b"]);
  expect(beside.timeline.map(({ request_id }) => request_id)).toEqual(["a", "b", "b"]);
  expect(alone.points.map(({ isDetails, nth, operation }) => [isDetails, nth, operation])).toEqual([
    [true, 1, "airtime"],
    [false, 1, "airtime"],
    [true, 2, "airtime"],
    [false, 2, "airtime"],
  ]);
  expect(beside.points.map(({ nth }) => nth)).toEqual([1, 2]);
  expect(alone.others.map(({ requestId }) => requestId)).toEqual(["x"]);
  expect(beside.others).toEqual([]);
});

test("of two faults, both have to occur, and what changes the account occurs once a request arrives", () => {
  const two = { ...cell(), faults: [placed("result-failed"), placed("callback-late")] };
  const rules = two.faults.map((one) => ruleNameOf(one, ORDER.phoneNumber));
  const [first = ""] = rules;
  const both = appliedRules({ fired: rules.map((rule) => ({ scenario: "explored", rule })) });

  expect(result([accepted("a", 0, { order: OWN, ...fired(first) })], { of: two }).isPlayed).toBe(false);
  expect(result([accepted("a", 0, { order: OWN, rules: both })], { of: two }).isPlayed).toBe(true);
  expect(result([accepted("a", 0, { order: airtime(51, "254712000009"), rules: both })], { of: two }).isPlayed).toBe(
    false,
  );
  expect(result([queried("a", 0)], { of: cell("wallet-empty") }).isPlayed).toBe(true);
  expect(result([], { of: cell("wallet-empty") }).isPlayed).toBe(false);
});

test("the requests that the gateway refused unread are the order's, and no points of it", () => {
  const events = [
    unread("a", 0, { code: 401 }),
    unread("b", 1, { code: 422 }),
    unread("c", 2, { code: 401, operation: "sms" }),
  ];

  const { timeline, points } = result(events, { of: cell("credentials-revoked") });

  expect(timeline.map(({ request_id }) => request_id)).toEqual(["a", "b"]);
  expect(points).toEqual([]);
});

test("what the plain order's traffic has already is a defect of each cell, and hides no other", () => {
  const known = verdictWithoutExchanges({ is: "defect", id: "known", title: "answers 204", seen: "204" });
  const imbalance = verdictWithoutExchanges({ is: "defect", id: "balance-race", title: "races", seen: "KES 5" });
  const alone = result([], { verdicts: [known, RIGHT] });

  const both = combineResults(cell(), [result([], { verdicts: [known, LOST] }), alone], undefined);
  const raced = combineResults(cell(), [alone, alone], imbalance);

  expect({ verdict: alone.verdict, defect: alone.defect }).toEqual({ verdict: "defect", defect: undefined });
  expect({ defect: both.defect?.id, ids: both.verdicts.map(({ id }) => id) }).toEqual({
    defect: "outcome-lost",
    ids: ["known", "outcome-lost", "order"],
  });
  expect({ defect: raced.defect?.id, ids: raced.verdicts.map(({ id }) => id) }).toEqual({
    defect: "balance-race",
    ids: ["balance-race", "known"],
  });
});

test("of several orders, a defect counts first, that with most money, then what was not assessed, then what is not right", () => {
  const played = [accepted("a", 0, { order: OWN })];
  const [right, defect] = [result(played), result(played, { verdicts: [LOST] })];
  const open = result(played, { verdicts: [{ ...RIGHT, is: "open" }] });
  const sold = result([accepted("b", -1, { order: OWN })], { verdicts: [{ ...LOST, id: "sold-twice" }] });
  const unasked = result(played, { verdicts: [{ ...RIGHT, is: "not assessed" }] });
  const of = cell("callback-late");

  expect(combineResults(of, [right, open, result([]), defect, sold])).toMatchObject({
    defect: { id: "sold-twice" },
    cell: of,
    timeline: [{ request_id: "b" }, {}, {}, {}],
  });
  expect(combineResults(of, [right, open, result([])]).isPlayed).toBe(false);
  expect(combineResults(of, [right, open, withoutTimedVerdict(right)]).isUnclear).toBe(true);
  expect([unasked, open, right].map((one) => combineResults(of, [right, one]).verdict)).toEqual([
    "not assessed",
    "open",
    "right",
  ]);
});

test("a fault that did not occur is not assessed, unless the order shows a defect all the same", () => {
  const of = cell("callback-late");

  expect(exploredCell(result([], { of }))).toMatchObject({
    id: "airtime-1-callback-late",
    operation: "airtime",
    faults: "the callback is sent one hour late",
    places: [{ point: "1st airtime request", fault: "callback-late" }],
    verdict: "not assessed",
    verdicts: [{ seen: "the fault did not happen, because no request got that far" }],
    phone_number: ORDER.phoneNumber,
    duration_ms: 5,
  });
  expect(exploredCell(result([], { of, verdicts: [LOST] }))).toMatchObject({ verdict: "defect", verdicts: [LOST] });
  expect(exploredCell(result([accepted("a", 0, { order: OWN })]))).toMatchObject({ verdict: "right", places: [] });
});

test.each([
  ["callback-late", "airtime", ["order:"]],
  ["callback-late", "sms", ["order:"]],
  ["credentials-revoked", "airtime", ["order:", "advance: 1ms", "order:"]],
] as const)(
  "a defect under %s (%s) is replayed by a rehearsal of the same orders and seed",
  (fault, operation, steps) => {
    const of = { ...cell(fault), operation };

    const replay = replayOf(result([], { of, verdicts: [LOST] }), 7);

    expect(replay).toMatchObject({ trial: `airtime-1-${fault}`, file: `airtime-1-${fault}.yaml` });
    expect(replay?.text.match(/order:|advance: \S+/g)).toEqual(steps);
    expect(parseRehearsal(replay?.text ?? "", "found.yaml")).toMatchObject({
      rehearsal: { seed: 7, description: expect.stringContaining("the application forgets. Seen: open.") },
    });
    expect(replayOf(result([], { of }), 7)).toBeUndefined();
  },
);

test("a special trial is replayed only if an ordinary run shows its defect", () => {
  const [of] = specialCells("airtime", BARE_MAP);
  const own = result([], { of, verdicts: [LOST] });
  const together = {
    results: [],
    isBalanceShared: false,
    loadMillis: 0,
    scenario: { version: 1 as const, name: "together" },
    orders: [ORDER, { ...ORDER, phoneNumber: "254712000002" }],
  };

  expect(replayOf(own, 7)).toBeUndefined();
  expect(replayOf({ ...own, together }, 7)?.text.match(/2547\d+/g)).toEqual(["254712000001", "254712000002"]);
});

test("an application that still accepts connections, or answered every order, has not ended", async () => {
  const silent = result([], { evidence: { claimed: ENDED } });
  const environment = trialEnvironment();
  const answering = result([]);

  await expectRunning([silent], { environment, application: { isListening: async () => true } });
  await expectRunning([answering, result([], { evidence: { placed: LATE } })], {
    environment,
    application: { isListening: async () => false },
  });

  expect(environment.clock.now()).toBe(trialEnvironment().clock.now());
});

test("an application gets five seconds to start again before it has ended for good", async () => {
  const environment = trialEnvironment();
  const startedAt = environment.clock.now();
  const back = { isListening: async () => environment.clock.now() - startedAt >= 5_000 };
  const never = { isListening: async () => false };
  const results = [result([], { evidence: { placed: CUT_OFF } })];

  await expectRunning(results, { environment, application: back });
  const ended = expectRunning(results, { environment: trialEnvironment(), application: never });

  await expect(ended).rejects.toBeInstanceOf(ApplicationEnded);
});

test("the order whose connection ended is the cause, and only if there is none may it be any that got no answer", async () => {
  const interrupted = result([], { of: cell("callback-late"), evidence: { placed: CUT_OFF, claimed: ENDED } });
  const reset = result([accepted("a", 0, { order: OWN }), attempted("a", 1, { outcome: { kind: "reset" } })], {
    of: cell("callback-malformed"),
    evidence: { claimed: ENDED },
  });
  const unanswered = result([], { evidence: { claimed: ENDED } });

  expect(await endedBy([unanswered, interrupted, result([])])).toEqual([
    ["airtime-1-callback-late", "stops-answering", "nothing answers"],
  ]);
  expect(await endedBy([unanswered, reset])).toEqual([
    ["airtime-1-callback-malformed", "stops-answering", "nothing answers"],
  ]);
  const several = "nothing answers; it ended while 2 orders were under way, any of which may be the cause";
  expect(await endedBy([unanswered, unanswered])).toEqual([
    ["airtime-plain", "stops-answering", several],
    ["airtime-plain", "stops-answering", several],
  ]);
});

test("what a map leaves unchecked is listed, with what it lacks", () => {
  const request = { method: "GET" as const, url: "{app}" };
  const full = {
    ...BARE_MAP,
    restart: { command: "true" },
    callbacks: { sms: "{app}/hooks" },
    balance: { request, json_path: jsonPathValue.parse("$.left"), price: "{amount}" },
  };

  expect(describeUnexplored(BARE_MAP)).toEqual([
    "restarts (no restart in the map)",
    "what the application says of an order (no status)",
    "money (no balance)",
    "books (no books)",
    "callbacks (no callbacks)",
    "timers longer than 5s",
  ]);
  expect(describeUnexplored(full, 7_000)).toEqual([
    "what the application says of an order (no status)",
    "books (no books)",
    "timers longer than 7s",
  ]);
  expect(describeUnexplored({ ...full, settle: 50 }).at(-1)).toBe("timers longer than 50ms");
});

/** The orders that may have ended an application that accepts no connection any more. */
async function endedBy(results: readonly CellResult[]) {
  const ended: unknown = await expectRunning(results, {
    environment: trialEnvironment(),
    application: { isListening: async () => false },
  }).catch((error: unknown) => error);
  if (!(ended instanceof ApplicationEnded)) throw new Error("the application has not ended");
  return ended.results.map(({ cell: { id }, verdicts }) => [id, ...verdicts.flatMap((one) => [one.id, one.seen])]);
}

const ENDED = { claim: "no answer", said: "nothing answers", isEnded: true } as const;
const CUT_OFF = { ...ORDER, reply: { kind: "silent", reason: "the connection was reset", wasReached: true } } as const;
const LATE = {
  ...ORDER,
  reply: { kind: "silent", reason: "it took too long", wasReached: true, isLate: true },
} as const;

test("what also goes wrong without a profile is not attributed to it, and what goes wrong under it alone is", () => {
  const special = {
    id: "profile-request-id-padded",
    words: "",
    orders: [{}],
    profileChange: { request_id: "padded" },
  } as const;
  const twice = { ...LOST, id: "sold-twice" };
  const without = (...verdicts: Verdict[]) => result([accepted("a", 0, { order: OWN })], { verdicts });
  const under = result([], { of: { ...cell(), special }, verdicts: [twice, LOST] });

  const told = onlyWithProfileChange(under, without(twice));
  const same = onlyWithProfileChange(under, without(twice, LOST));
  const uncompared = [undefined, withoutTimedVerdict(without(twice)), result([], { verdicts: [twice] })].map(
    (control) => onlyWithProfileChange(under, control),
  );

  expect(told).toMatchObject({ verdict: "defect", verdicts: [{ id: "outcome-lost" }], defect: { id: "outcome-lost" } });
  expect(same.verdict).toBe("not assessed");
  expect(uncompared.map(({ verdict }) => verdict)).toEqual(["not assessed", "not assessed", "not assessed"]);
});
