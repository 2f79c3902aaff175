import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { lookLast } from "../../../src/verdict/exploration/last-look.ts";
import { type LateResults, lateResults, type Result } from "../../../src/verdict/exploration/result.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { judgeLastLook } from "../../../src/verdict/orders/last-look.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { defectOf, experiment, named, resultOf, runOf } from "../../support/experiments.ts";
import { accepted, attempted, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const PRICE = cents(5_000);
const SENT = accepted("one", 0, { order: airtime(50, ORDER.phoneNumber) });
const DELIVERED: readonly AccountEvent[] = [SENT, settled("one", 1), attempted("one", 2)];
const FAILED: readonly AccountEvent[] = [
  SENT,
  settled("one", 1, { outcome: "failed", charge: NO_MONEY }),
  attempted("one", 2),
];
const AGAIN = [accepted("two", 3, { order: airtime(50, ORDER.phoneNumber) }), settled("two", 4), attempted("two", 5)];

/** What is shown of an order, and what the customer was debited for it: "paid 50". */
function shown(words: string): Partial<OrderEvidence> {
  const [said = "", shillings] = words.split(" ");
  const claim = said === "paid" || said === "failed" ? said : "open";
  return { claimed: { claim, said }, price: PRICE, debited: { value: cents(Number(shillings) * 100) } };
}

test.each<[string, string, readonly AccountEvent[], string]>([
  ["paid 50", "paid 50", DELIVERED, "right"],
  [
    "paid 50",
    "failed 0",
    DELIVERED,
    "delivered-shown-failed: shown paid at first; 2.1s later failed and credited KES 50.00",
  ],
  ["paid 50", "paid 100", DELIVERED, "wrong-debit: shown paid at first; 2.1s later still so and debited KES 50.00"],
  ["paid 0", "paid 50", DELIVERED, "right"],
  ["paid 100", "paid 100", DELIVERED, "wrong-debit: the customer was debited KES 100.00"],
  ["failed 50", "failed 0", FAILED, "right"],
  ["failed 0", "failed 50", FAILED, "not-refunded: shown failed at first; 2.1s later still so and debited KES 50.00"],
  ["failed 50", "failed 50", FAILED, "not-refunded: the customer was debited KES 50.00"],
  ["failed 0", "paid 50", FAILED, "paid-never-delivered: shown failed at first; 2.1s later paid and debited KES 50.00"],
  ["pending 50", "paid 50", DELIVERED, "right"],
  ["paid 50", "paid 50", [...DELIVERED, ...AGAIN], "sold-twice: the customer was debited KES 50.00"],
])("an order shown %s at first and %s at the last look", (before, now, events, expected) => {
  const [first, last] = [before, now].map((words) => {
    const order = evidenceOf(ORDER, events, shown(words));
    return { order, verdicts: judgeOrder(order, events) };
  });
  if (first === undefined || last === undefined) throw new Error("there are two looks");

  const [told] = judgeLastLook(first, last, 2_100);

  expect(told?.is === "defect" ? `${told.id}: ${told.seen.split("; the")[0]}` : told?.is).toBe(expected);
});

const RESULTS: Readonly<Record<string, Result>> = {
  plain: right(experiment(), DELIVERED, "paid"),
  alike: right(experiment("callback-with-new-field"), DELIVERED, "paid"),
  twice: right(experiment("callback-twice"), [...DELIVERED, attempted("one", 3)], "paid"),
  failed: right(experiment("result-failed"), FAILED, "failed"),
  refused: right(
    experiment("refused-422"),
    [refused("one", 0, { code: 422, order: airtime(50, ORDER.phoneNumber) })],
    "failed",
  ),
  halting: right(
    experiment("refused-402"),
    [refused("one", 0, { code: 402, order: airtime(50, ORDER.phoneNumber) })],
    "failed",
  ),
  again: right(experiment("reset-before-accept"), [...DELIVERED, ...AGAIN], "paid"),
  unknown: { ...right(experiment("reset-after-accept"), [SENT, settled("one", 1)], "open"), verdict: "open" },
  wrong: resultOf({
    ...right(experiment("failure-twice"), FAILED, "paid"),
    defect: defectOf("paid-never-delivered"),
    verdict: "defect",
  }),
  answered204: resultOf({
    ...right(experiment(), DELIVERED, "paid"),
    defect: defectOf("callback-not-acknowledged"),
    verdict: "defect",
  }),
  tolerated: { ...right(experiment("result-failed"), FAILED, "failed"), verdict: "defect" },
  five: right(named("five-customers-at-once"), DELIVERED, "open"),
  unmet: { ...right(experiment("callback-late"), DELIVERED, "open"), unmet: "no request got that far" },
};

function right(of: Result["experiment"], events: readonly AccountEvent[], said: string): Result {
  return resultOf({ experiment: of, order: evidenceOf(ORDER, events, shown(`${said} 0`)) });
}

const NOTHING: LateResults = { late: [], imbalance: undefined };

/** Looks at what was right of these, and returns what was looked at in each run, and what is told. */
async function looked(words: string, answers: readonly LateResults[] = [], areAlone = false) {
  const results = new Map(
    words
      .split(" ")
      .flatMap((word) => (RESULTS[word] === undefined ? [] : [[RESULTS[word].experiment.id, RESULTS[word]]])),
  );
  const runs: string[] = [];
  const told = await lookLast(results, {
    areAlone,
    hasBalance: true,
    look: async (experiments) => {
      runs.push(experiments.map(({ id }) => id.replace("airtime-1-", "")).join(" "));
      return answers[runs.length - 1] ?? NOTHING;
    },
  });
  return {
    runs,
    told: told.map(({ experiment: { id }, verdict, verdicts }) => `${id}: ${verdict} ${verdicts[0]?.seen}`),
  };
}

const LATER = defectOf("delivered-shown-failed", "failed later");
const LATE = resultOf({ ...RESULTS["plain"], defect: LATER, verdict: "defect", verdicts: [LATER] });

/** What became wrong with one of the results, each in its own way. */
function late(word: string): Result {
  const defect = defectOf(word, `${word} later`);
  return resultOf({ ...RESULTS[word], defect, verdict: "defect", verdicts: [defect] });
}

const IMBALANCE = defectOf("wrong-debit", "wrong later");

test.each<[string, string, readonly LateResults[], string[], string[]]>([
  [
    "one order of each kind of end",
    "failed plain alike unknown refused",
    [],
    ["airtime-plain result-failed refused-422", "reset-after-accept"],
    [],
  ],
  [
    "one order of each number of callbacks, since any of them may start a timer",
    "plain twice alike",
    [],
    ["airtime-plain callback-twice"],
    [],
  ],
  [
    "nothing that was wrong, did not happen, is several orders, or may make it halt",
    "plain wrong unmet five halting",
    [],
    ["airtime-plain"],
    [],
  ],
  ["nothing where nothing was right", "wrong", [], [], []],
  ["orders that have only what each plain order has", "answered204 tolerated", [], ["airtime-plain result-failed"], []],
  [
    "what became wrong alone, too",
    "plain failed",
    [
      { ...NOTHING, late: [LATE] },
      { ...NOTHING, late: [LATE] },
    ],
    ["airtime-plain result-failed", "airtime-plain"],
    ["airtime-plain: defect failed later"],
  ],
  [
    "as not assessed what became wrong only beside others",
    "plain failed",
    [{ ...NOTHING, late: [LATE] }],
    ["airtime-plain result-failed", "airtime-plain"],
    ["airtime-plain: not assessed only beside other runs: failed later"],
  ],
  [
    "whose balance became wrong, by halves",
    "refused failed plain twice",
    [{ ...NOTHING, imbalance: IMBALANCE }, NOTHING, { ...NOTHING, late: [LATE] }, { ...NOTHING, late: [LATE] }],
    [
      "airtime-plain callback-twice refused-422 result-failed",
      "airtime-plain callback-twice",
      "refused-422",
      "refused-422",
    ],
    ["airtime-plain: defect failed later"],
  ],
  [
    "as not assessed what became wrong and was not looked at alone",
    "plain again failed",
    [
      { ...NOTHING, late: ["plain", "again", "failed"].map(late) },
      { ...NOTHING, late: [late("plain")] },
    ],
    ["airtime-plain reset-before-accept result-failed", "airtime-plain", "reset-before-accept"],
    [
      "airtime-plain: defect plain later",
      "airtime-1-reset-before-accept: not assessed only beside other runs: again later",
      "airtime-1-result-failed: not assessed only beside other runs: failed later",
    ],
  ],
  [
    "as not assessed a balance that is right with each alone",
    "plain",
    [{ ...NOTHING, imbalance: IMBALANCE }],
    ["airtime-plain", "airtime-plain"],
    ["airtime-plain: not assessed only beside other runs: wrong later"],
  ],
])("the last look tells %s", async (_what, words, answers, runs, told) => {
  expect(await looked(words, answers)).toEqual({ runs, told });
});

test("the last look is at one order where the application does not tell orders apart", async () => {
  expect(await looked("failed plain unknown", [], true)).toEqual({ runs: ["airtime-plain"], told: [] });
});

test("what was wrong at first is nothing that the last look has found", () => {
  const [first, last] = [runOf([resultOf()]), runOf([LATE])];

  expect(lateResults(first, last, 5_000).late.map(({ lookedAfter }) => lookedAfter)).toEqual([5_000]);
  expect(lateResults(last, last, 5_000).late).toEqual([]);
  expect(lateResults(first, runOf([resultOf()], IMBALANCE), 5_000).imbalance?.seen).toBe("5.0s later: wrong later");
  expect(lateResults(runOf([], IMBALANCE), runOf([], IMBALANCE), 5_000).imbalance).toBeUndefined();
});
