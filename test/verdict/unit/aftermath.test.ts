import { expect, test } from "vitest";
import { mustSend } from "../../../src/verdict/orders/unsent.ts";
import { Blame, plainOrderAfter } from "../../../src/verdict/exploration/aftermath.ts";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import { ApplicationEnded } from "../../../src/verdict/exploration/ended.ts";
import type { Experiment } from "../../../src/verdict/exploration/experiment.ts";
import type { Result, RunResults } from "../../../src/verdict/exploration/result.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { NoVerdict } from "../../../src/verdict/trial/environment.ts";
import { BARE_MAP, defectOf, experiment, FULL_MAP, resultOf, runOf } from "../../support/experiments.ts";

interface Harm {
  /** Whether what has just run makes plain orders go wrong. */
  readonly by: (ids: readonly string[]) => boolean;
  /** What heals the application; nothing unless told. */
  readonly cure?: "reset" | "restart";
  /** What is wrong with an order of so many itself. */
  readonly own?: (id: string, of: number) => string | undefined;
  /** What is wrong with a plain order then. */
  readonly wrong?: string;
}

/** Runs experiments in an application that some of them harm, and finds out which. */
async function blamed(ids: string, { by, cure, own, wrong = "taken-not-sent" }: Harm) {
  const runs: string[] = [];
  let isWell = true;
  const run = async (experiments: readonly Experiment[], { isContinued }: RunOptions = {}): Promise<RunResults> => {
    const running = experiments.map(({ id }) => id.replace("airtime-1-", "").replace(/.*-and-airtime-1-/, ""));
    runs.push(`${isContinued === true ? "then " : ""}${running.join(" ").replace("airtime-", "")}`);
    isWell ||= isContinued !== true && cure === "reset";
    const results = experiments.map((one, index) => {
      const isPlain = one.orders[0]?.faults?.length === 0;
      const id = isPlain ? (isWell ? undefined : wrong) : own?.(running[index] ?? "", running.length);
      return resultOf({ experiment: one, defect: id === undefined ? undefined : defectOf(id, "seen") });
    });
    isWell &&= !by(running);
    return runOf(results);
  };
  const map = cure === "restart" ? FULL_MAP : BARE_MAP;
  const act = async (): Promise<undefined> => {
    isWell = true;
  };
  const confirmer = new Confirmer(run);
  const blame = new Blame(run, { map, act }, (together) => confirmer.confirm(together));
  const together = await run(ids.split(" ").map((id) => experiment(...id.split("+"))));
  const seen = await plainOrderAfter(together, run);
  const results = seen === undefined ? together.results : await blame.find(together, seen);
  return { results, told: results.map(told), runs: runs.slice(2).join(", ") };
}

function told({ verdict, verdicts: [first] }: Result): string {
  return first === undefined ? verdict : `${verdict}, ${first.id}: ${first.seen}`;
}

const [FAILED, LATE] = ["result-failed", "callback-late"];
const TWO = `${FAILED} ${LATE}`;
const AFTERWARDS = "a plain order afterwards: seen";
const CULPRIT = `defect, taken-not-sent: ${AFTERWARDS}`;
const isLate: Harm["by"] = (ids) => ids.includes(LATE);

test.each(["reset", "restart"] as const)(
  "one culprit is told after it was seen alone twice, after a %s, and the others are tried again",
  async (cure) => {
    const found = await blamed(TWO, { by: isLate, cure });

    expect(found.told).toEqual(["right", CULPRIT]);
    const [failed, late] = TWO.split(" ").map((id) => `${id}, then plain`);
    expect(found.runs).toBe(["plain", failed, late, "plain", late, "plain", failed].join(", "));
  },
);

const ran =
  (...harmful: readonly string[]): Harm["by"] =>
  (ids) =>
    harmful.some((id) => ids.includes(id));

/** An order is sold twice if so many run at once, and so often. */
function soldTwice(harmed: string, [fewest = 1, most = 9]: readonly number[] = [], often = Infinity): Harm["own"] {
  let times = 0;
  return (id, of) => (id === harmed && of >= fewest && of <= most && (times += 1) <= often ? "sold-twice" : undefined);
}

const NO_MONEY: Harm = { by: ran("refused-402") };
const OWN = "defect, sold-twice: seen";
const THREE = `${TWO} refused-422`;
const BESIDE = "not assessed, order: only beside other runs: seen";
const ONCE = `not assessed, order: only once: ${AFTERWARDS}`;
const TOGETHER = `defect, taken-not-sent: after 2 orders at once, and not after each alone: ${AFTERWARDS}`;

test.each<[string, string, Harm, string[]]>([
  ["two culprits, each by itself", THREE, { by: ran("refused-422", LATE) }, ["right", CULPRIT, CULPRIT]],
  ["a defect that is confirmed without the culprit", TWO, { by: isLate, own: soldTwice(FAILED) }, [OWN, CULPRIT]],
  [
    "no defect that only a culprit beside it shows",
    TWO,
    { by: isLate, own: soldTwice(FAILED, [2, 2]) },
    ["right", CULPRIT],
  ],
  [
    "what shows twice only beside others",
    THREE,
    { by: ran("refused-422"), own: soldTwice(LATE, [2, 3], 2) },
    ["right", BESIDE, CULPRIT],
  ],
  ["orders that harm it only together", TWO, { by: (ids) => ids.length > 1 }, [TOGETHER, "right"]],
  ["as not assessed what came only once", TWO, { by: once() }, [ONCE, "right"]],
  [
    "what shows once only beside what came only once",
    TWO,
    { by: once(), own: soldTwice(LATE, [2, 2], 1) },
    [ONCE, BESIDE],
  ],
  ["a defect beside what came only once", LATE, { by: once(), own: soldTwice(LATE) }, [OWN]],
  ["as a risk that a person is waited for", "refused-402", NO_MONEY, [`risk, taken-not-sent: ${AFTERWARDS}`]],
  ["so after a second try, too", "refused-429+refused-402", NO_MONEY, [`risk, taken-not-sent: ${AFTERWARDS}`]],
  [
    "other money as a defect",
    "refused-402",
    { ...NO_MONEY, wrong: "wrong-debit" },
    [`defect, wrong-debit: ${AFTERWARDS}`],
  ],
  [
    "as a risk what waits in an application that has halted",
    "refused-402",
    { ...NO_MONEY, own: (id) => (id === "refused-402" ? "refused-left-open" : undefined) },
    [`risk, taken-not-sent: ${AFTERWARDS}`],
  ],
  ["a defect beside a risk", "refused-402", { ...NO_MONEY, own: soldTwice("refused-402") }, [OWN]],
])("it tells %s", async (_what, ids, harm, expected) => {
  expect((await blamed(ids, { ...harm, cure: "reset" })).told).toEqual(expected);
});

function once(): Harm["by"] {
  let times = 0;
  return () => (times += 1) === 1;
}

test.each([
  ["if it was seen alone, too", [1, 2], ["taken-not-sent", "sold-twice"]],
  ["but not if it was seen only beside others", [2, 2], ["taken-not-sent"]],
  ["nor if it was seen only alone", [1, 1], ["taken-not-sent"]],
])("what else is wrong with a culprit is told %s", async (_what, of, ids) => {
  const { results } = await blamed(TWO, {
    by: isLate,
    cure: "reset",
    own: soldTwice(LATE, of),
  });

  expect(results[1]?.verdicts.map(({ id }) => id)).toEqual(ids);
});

test("what comes after is a plain order that must be sent, without a reset", async () => {
  const asked: unknown[] = [];

  await plainOrderAfter(runOf([resultOf()]), async ([plain], options) => {
    asked.push({ id: plain?.id, judge: plain?.judge, ...options });
    return runOf([resultOf()]);
  });

  expect(asked).toEqual([{ id: "airtime-plain", judge: mustSend, isContinued: true, isPatient: true }]);
});

test("an application that does not come right again has ended, and everything that ran may be the cause", async () => {
  const ended = await endOf(blamed(TWO, { by: () => true }));

  expect(ended.message).toBe("the application does not come right again, not even after a reset");
  const cause = `${CULPRIT}; any of the 2 orders of this run may be the cause`;
  expect(ended.results.map(told)).toEqual([cause, cause]);
});

test("what an application may halt for is seen once beside others and once alone, and told as a risk of each", async () => {
  const found = await blamed("refused-401 refused-402", { by: () => true, cure: "restart" });

  const risk = `risk, taken-not-sent: after 2 orders at once: ${AFTERWARDS}`;
  expect(found).toMatchObject({ told: [risk, risk], runs: "plain, refused-401, refused-402, plain" });
});

test("an application is cured that a reset makes go on once the gateway has its money again", async () => {
  let [isWell, isFunded] = [false, false];
  const run = async ([of = experiment()]: readonly Experiment[]): Promise<RunResults> => {
    [isWell, isFunded] = [isFunded, true];
    return runOf([resultOf({ experiment: of, defect: isWell ? undefined : defectOf("taken-not-sent") })]);
  };
  const seen = resultOf({ experiment: experiment("wallet-empty"), defect: defectOf("taken-not-sent") });
  const blame = new Blame(run, { map: BARE_MAP, act: async () => undefined }, failing(new Error("unasked")));

  const found = await blame.find(runOf([{ ...seen, defect: undefined }]), seen);

  expect(found.map(({ verdict }) => verdict)).toEqual(["risk"]);
});

test("an application that is known to halt is given no minute to go on after what it may halt for", async () => {
  const patience: unknown[] = [];
  const run = async (_: readonly Experiment[], options: RunOptions = {}): Promise<RunResults> => {
    patience.push(options.isPatient);
    return runOf([resultOf()]);
  };
  for (const ids of [["refused-402"], ["refused-402", "refused-422"]])
    await plainOrderAfter(runOf(ids.map((id) => resultOf({ experiment: experiment(id) }))), run, true);

  expect(patience).toEqual([false, true]);
});

test("an application that waits for a person after a refusal, and that nothing in the map makes go on, is no defect", async () => {
  const harm: Harm = { by: () => true, own: soldTwice(LATE) };

  const ended = await endOf(blamed(`${LATE} refused-401 refused-402`, harm));

  const cause = `risk, taken-not-sent: ${AFTERWARDS}; any of the 2 orders of this run may be the cause`;
  expect(ended.results.map((result) => [result.experiment.id, told(result)])).toEqual([
    ["airtime-1-refused-401", cause],
    ["airtime-1-refused-402", cause],
  ]);
});

function failing(error: Error): () => Promise<never> {
  return async () => {
    throw error;
  };
}

test("an application that a plain order finds ended was ended by what ran before", async () => {
  const plain = resultOf({ defect: defectOf("stops-answering", "connection refused") });
  const storm = runOf(TWO.split(" ").map((id) => resultOf({ experiment: experiment(id) })));

  const ended = await endOf(plainOrderAfter(storm, failing(new ApplicationEnded("stopped answering", [plain]))));

  expect(ended.message).toBe("the application stopped answering");
  expect(ended.results.map(({ experiment: { id } }) => id)).toEqual([
    "airtime-1-result-failed",
    "airtime-1-callback-late",
  ]);
});

test.each([
  ["no answer", "wrong-debit", new NoVerdict("reset failed"), "stops answering"],
  ["open", "taken-not-sent", new ApplicationEnded("", []), "takes orders and sends nothing any more"],
  ["open", "outcome-lost", new NoVerdict("reset failed"), "from then on keeps it open"],
] as const)(
  "an order of which is said %s (%s), in an application that cannot be run again",
  async (claim, id, error, title) => {
    const result = resultOf({ defect: { ...defectOf(id), title: "keeps it open" } });
    const seen = { ...result, order: { ...result.order, claimed: { claim, said: "" } } };
    const blame = new Blame(failing(error), { map: BARE_MAP, act: async () => undefined }, failing(error));

    const { results } = await endOf(blame.find(runOf([seen]), seen));

    expect(results.map(({ defect }) => defect?.title)).toEqual([title]);
  },
);

async function endOf(ending: Promise<unknown>): Promise<ApplicationEnded> {
  const error = await ending.catch((reason: unknown) => reason);
  if (error instanceof ApplicationEnded) return error;
  throw new Error("it has not ended", { cause: error });
}
