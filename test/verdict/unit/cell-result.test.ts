import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { jsonPathValue } from "../../../src/verdict/application/json-path.ts";
import { type Cell, ruleNameOf } from "../../../src/verdict/exploration/cell.ts";
import {
  type CellResult,
  combined,
  resultOf,
  unclear,
  withDefect,
} from "../../../src/verdict/exploration/cell-result.ts";
import { ApplicationEnded, expectRunning } from "../../../src/verdict/exploration/ended.ts";
import { exploredCell, replayOf } from "../../../src/verdict/exploration/explored-cell.ts";
import { notLookedAt } from "../../../src/verdict/exploration/not-looked-at.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";
import { bareVerdict, type Verdict } from "../../../src/verdict/report/report.ts";
import { readTimeline } from "../../../src/verdict/report/timeline.ts";
import { underReadingOnly } from "../../../src/verdict/exploration/readings.ts";
import { specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import { BARE_MAP, cell, placed } from "../../support/explored-cells.ts";
import { accepted, appliedRules, attempted, cut, queried, settled, unread } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const OWN = airtime(50, ORDER.phoneNumber);
const RIGHT = bareVerdict({ is: "right", id: "order", title: "", seen: "1 delivered" });
const LOST = bareVerdict({ is: "defect", id: "outcome-lost", title: "forgets", seen: "open" });
const RISK = bareVerdict({ is: "risk", id: "retry-storm", title: "retries come too fast", seen: "9 in a second" });

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
    timeline: readTimeline(kept),
    isAlone,
    asksMore: false,
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

test("a fault has occurred once its rule has fired for its own order", () => {
  const of = cell("result-failed");
  const [one] = of.faults;
  const rule = one === undefined ? "" : ruleNameOf(one, ORDER.phoneNumber);
  const isPlayed = (events: readonly AccountEvent[]): boolean => result(events, { of }).isPlayed;

  expect(isPlayed([accepted("a", 0, { order: OWN, ...fired(rule) })])).toBe(true);
  expect(isPlayed([accepted("a", 0, { order: OWN, ...fired("another") })])).toBe(false);
  expect(isPlayed([accepted("a", 0, { order: OWN })])).toBe(false);
  expect(isPlayed([accepted("a", 0, { order: airtime(51, "254712000009"), ...fired(rule) })])).toBe(false);
});

test("of two faults, both have to occur, and what changes the account occurs once a request arrives", () => {
  const two = { ...cell(), faults: [placed("result-failed"), placed("callback-late")] };
  const rules = two.faults.map((one) => ruleNameOf(one, ORDER.phoneNumber));
  const [first = ""] = rules;
  const both = appliedRules({ fired: rules.map((rule) => ({ scenario: "explored", rule })) });

  expect(result([accepted("a", 0, { order: OWN, ...fired(first) })], { of: two }).isPlayed).toBe(false);
  expect(result([accepted("a", 0, { order: OWN, rules: both })], { of: two }).isPlayed).toBe(true);
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

test("a result is what its worst verdict says, so that none with a risk is right", () => {
  const defect = result([], { verdicts: [LOST, RISK] });
  const risk = result([], { verdicts: [RIGHT, RISK] });

  expect({ verdict: defect.verdict, defect: defect.defect }).toEqual({ verdict: "defect", defect: LOST });
  expect({ verdict: risk.verdict, defect: risk.defect }).toEqual({ verdict: "risk", defect: undefined });
});

test("what the plain order's traffic has already is a defect of each cell, and hides no other", () => {
  const known = bareVerdict({ is: "defect", id: "known", title: "answers 204", seen: "204" });
  const imbalance = bareVerdict({ is: "defect", id: "balance-race", title: "races", seen: "KES 5" });
  const alone = result([], { verdicts: [known, RIGHT] });

  const both = combined(cell(), [result([], { verdicts: [known, LOST] }), alone], undefined);
  const raced = combined(cell(), [alone, alone], imbalance);

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

test("a result on a busy machine accuses nobody, and keeps the name of the check", () => {
  const { verdict, verdicts, isUnclear, ...rest } = unclear(result([], { verdicts: [LOST] }));

  expect({ verdict, isUnclear }).toEqual({ verdict: "not assessed", isUnclear: true });
  expect(rest).not.toHaveProperty("defect");
  expect(verdicts).toMatchObject([
    { is: "not assessed", id: "outcome-lost", seen: expect.stringContaining("the machine was too busy") },
  ]);
  expect(unclear(result([], { verdicts: [] })).verdicts).toMatchObject([{ id: "order" }]);
});

test("a defect that is added comes first, once, and nothing beside it is right", () => {
  const other = withDefect(result([], { verdicts: [RIGHT, RISK, LOST] }), LOST);

  expect({ verdict: other.verdict, defect: other.defect, verdicts: other.verdicts }).toEqual({
    verdict: "defect",
    defect: LOST,
    verdicts: [LOST, RISK],
  });
});

test("of several orders, a defect counts first, then what was not assessed, then what is not right", () => {
  const played = [accepted("a", 0, { order: OWN })];
  const right = result(played);
  const open = result(played, { verdicts: [{ ...RIGHT, is: "open" }] });
  const unplayed = result([]);
  const busy = { ...result(played), isUnclear: true };
  const unasked = result(played, { verdicts: [{ ...RIGHT, is: "not assessed" }] });
  const defect = result(played, { verdicts: [LOST] });
  const of = cell("callback-late");

  expect(combined(of, [right, open, unplayed, defect])).toMatchObject({ defect: LOST, cell: of });
  expect(combined(of, [right, open, unplayed]).isPlayed).toBe(false);
  expect(combined(of, [right, open, busy]).isUnclear).toBe(true);
  expect(combined(of, [right, open, unasked]).verdict).toBe("not assessed");
  expect(combined(of, [right, open]).verdict).toBe("open");
  expect(combined(of, [right, right]).verdict).toBe("right");
});

test("of several orders with defects, the one with the most money at risk counts", () => {
  const sold = bareVerdict({ is: "defect", id: "sold-twice", title: "sells twice", seen: "2 delivered" });
  const [first, second] = [result([], { verdicts: [LOST] }), result([], { verdicts: [sold] })];

  expect(combined(cell(), [first, second]).defect).toEqual(sold);
});

test("the exchanges of several orders are in the order in which they happened", () => {
  const late = result([accepted("late", 9, { order: OWN })]);
  const early = result([accepted("early", 1, { order: OWN })]);

  expect(combined(cell(), [late, early]).timeline.map(({ request_id }) => request_id)).toEqual(["early", "late"]);
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

test("a special trial is in the matrix under its own id", () => {
  const of = specialCells("sms", BARE_MAP).find(({ special }) => special?.id === "five-customers-at-once");

  expect(of && exploredCell(result([], { of })).places).toEqual([
    { point: "1st sms request", fault: "five-customers-at-once" },
  ]);
});

test("a defect is replayed by the same order and faults with the same seed, and nothing else is", () => {
  const of = cell("callback-late");

  const replay = replayOf(result([], { of, verdicts: [LOST] }), 7);

  expect(replay).toMatchObject({ trial: "airtime-1-callback-late", file: "airtime-1-callback-late.yaml" });
  expect(replay?.text).toContain("seed: 7");
  expect(replay?.text.match(/- order:/g)).toHaveLength(1);
  expect(replay?.text).toContain(
    'description: "When the callback is sent one hour late, the application forgets. Seen: open."',
  );
  expect(replayOf(result([], { of }), 7)).toBeUndefined();
});

test.each(["airtime", "sms"] as const)("what replays an order of %s is a rehearsal without mistakes", (operation) => {
  const of = { ...cell("callback-late"), operation };

  const replay = replayOf(result([], { of, verdicts: [LOST] }), 7);

  expect(parseRehearsal(replay?.text ?? "", "found.yaml")).toHaveProperty("rehearsal");
});

test("what happens between two orders is replayed halfway between two", () => {
  const replay = replayOf(result([], { of: cell("credentials-revoked"), verdicts: [LOST] }), 7);

  expect(replay?.text.match(/order:|advance: \S+/g)).toEqual(["order:", "advance: 1ms", "order:"]);
});

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

test("what a map leaves unseen is told, with what it lacks", () => {
  const request = { method: "GET" as const, url: "{app}" };
  const full = {
    ...BARE_MAP,
    restart: { command: "true" },
    callbacks: { sms: "{app}/hooks" },
    balance: { request, json_path: jsonPathValue.parse("$.left"), price: "{amount}" },
  };

  expect(notLookedAt(BARE_MAP)).toEqual([
    "restarts (no restart in the map)",
    "what the application says of an order (no status)",
    "money (no balance)",
    "books (no books)",
    "callbacks (no callbacks)",
    "timers longer than 5s",
  ]);
  expect(notLookedAt(full, 7_000)).toEqual([
    "what the application says of an order (no status)",
    "books (no books)",
    "timers longer than 7s",
  ]);
  expect(notLookedAt({ ...full, settle: 50 }).at(-1)).toBe("timers longer than 50ms");
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

test("what goes wrong without a reading too is not told of it, and what goes wrong under it alone is", () => {
  const special = {
    id: "reading-request-id-padded",
    words: "",
    orders: [{}],
    reading: { request_id: "padded" },
  } as const;
  const twice = { ...LOST, id: "sold-twice" };
  const without = (...verdicts: Verdict[]) => result([accepted("a", 0, { order: OWN })], { verdicts });
  const under = result([], { of: { ...cell(), special }, verdicts: [twice, LOST] });

  const told = underReadingOnly(under, without(twice));
  const same = underReadingOnly(under, without(twice, LOST));
  const uncompared = [undefined, unclear(without(twice)), result([], { verdicts: [twice] })].map((control) =>
    underReadingOnly(under, control),
  );

  expect(told).toMatchObject({ verdict: "defect", verdicts: [{ id: "outcome-lost" }], defect: { id: "outcome-lost" } });
  expect(same.verdict).toBe("not assessed");
  expect(uncompared.map(({ verdict }) => verdict)).toEqual(["not assessed", "not assessed", "not assessed"]);
});
