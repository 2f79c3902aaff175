import { expect, test } from "vitest";
import { Blame, plainOrderAfter } from "../../../src/verdict/exploration/aftermath.ts";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import { ApplicationEnded } from "../../../src/verdict/exploration/ended.ts";
import type { Experiment } from "../../../src/verdict/exploration/experiment.ts";
import { onlyResult, type Result, type RunResults } from "../../../src/verdict/exploration/result.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { NoVerdict } from "../../../src/verdict/trial/environment.ts";
import { BARE_MAP, defectOf, experiment, FULL_MAP, resultOf, runOf } from "../../support/experiments.ts";

interface Harm {
  /** Whether an application that has just run these experiments does something wrong with a plain order. */
  readonly by: (ids: readonly string[]) => boolean;
  /** What heals it; nothing unless told. */
  readonly cure?: "reset" | "restart";
  /** What is wrong with orders themselves, beside others or alone. */
  readonly defect?: (id: string, beside: number) => string | undefined;
  /** What is wrong with a plain order then. */
  readonly wrong?: string;
}

/** An application, and what runs it and names what harms it. */
function harmed({ by, cure, defect = () => undefined, wrong = "taken-not-sent" }: Harm) {
  const runs: string[] = [];
  let isWell = true;
  const run = async (experiments: readonly Experiment[], { isContinued }: RunOptions = {}): Promise<RunResults> => {
    const ids = experiments.map(({ id }) => id.replace("airtime-1-", ""));
    runs.push(`${isContinued === true ? "then " : ""}${ids.join(" ")}`);
    isWell ||= isContinued !== true && cure === "reset";
    const results = experiments.map((one, index) => {
      const found = one.orders[0]?.faults?.length === 0 && !isWell ? wrong : defect(ids[index] ?? "", ids.length);
      return resultOf({ experiment: one, defect: found === undefined ? undefined : defectOf(found, "it was seen") });
    });
    isWell &&= !by(ids);
    return runOf(results);
  };
  const act = async (): Promise<undefined> => {
    isWell = true;
  };
  const confirmer = new Confirmer(run);
  const map = cure === "restart" ? FULL_MAP : BARE_MAP;
  const blame = new Blame(run, { map, act }, (together) => confirmer.confirm(together));

  return { find, runs, run };

  async function find(...ids: readonly string[]): Promise<readonly Result[]> {
    const together = await run(ids.map((id) => experiment(id)));
    const seen = await plainOrderAfter(together, run);
    return seen === undefined ? together.results : await blame.find(together, seen);
  }
}

function told(results: readonly Result[]): string[] {
  return results.map(({ verdict, verdicts: [first] }) => `${verdict} ${first?.id ?? ""}: ${first?.seen ?? ""}`);
}

const RIGHT = "right : ";
const AFTERWARDS = "a plain order afterwards: it was seen";
const HARMFUL = `defect taken-not-sent: ${AFTERWARDS}`;
const TWO = ["result-failed", "callback-late"] as const;

test("what comes after a run is a plain order that must be sent, without a reset", async () => {
  const { run, runs } = harmed({ by: (ids) => ids.includes("result-failed") });
  const asked: unknown[] = [];
  const storm = await run([experiment("result-failed")]);

  const seen = await plainOrderAfter(storm, async ([plain], options) => {
    asked.push({ id: plain?.id, mustSend: plain?.mustSend, ...options });
    return run(plain ? [plain] : [], options);
  });

  expect(asked).toEqual([{ id: "airtime-plain", mustSend: true, isContinued: true, isPatient: true }]);
  expect({ seen: seen?.defect?.id, runs }).toEqual({
    seen: "taken-not-sent",
    runs: ["result-failed", "then airtime-plain"],
  });
});

test.each(["reset", "restart"] as const)(
  "one culprit is told after it was seen alone twice, and after a %s the others are tried again",
  async (cure) => {
    const { find, runs } = harmed({ by: (ids) => ids.includes("callback-late"), cure });

    expect(told(await find(...TWO))).toEqual([RIGHT, HARMFUL]);
    const alone = ["callback-late", "then airtime-plain", "airtime-plain"];
    expect(runs.slice(2)).toEqual([
      "airtime-plain",
      "result-failed",
      "then airtime-plain",
      ...alone,
      ...alone,
      "result-failed",
      "then airtime-plain",
    ]);
  },
);

test("two culprits are told, each by itself", async () => {
  const { find } = harmed({ by: (ids) => TWO.some((id) => ids.includes(id)), cure: "reset" });

  expect(told(await find(...TWO, "callback-twice"))).toEqual([HARMFUL, HARMFUL, RIGHT]);
});

test("what is wrong with an order beside a culprit counts only if it is confirmed without it", async () => {
  const defect = (id: string, beside: number) =>
    id === "result-failed" ? "sold-twice" : id === "callback-late" && beside > 1 ? "wrong-debit" : undefined;
  const { find } = harmed({ by: (ids) => ids.includes("callback-twice"), cure: "reset", defect });

  const results = await find(...TWO, "callback-twice");

  expect(told(results)).toEqual([
    "defect sold-twice: it was seen",
    "not assessed order: only beside other runs: it was seen",
    HARMFUL,
  ]);
});

test.each([
  ["if it was seen alone, too", 0, ["taken-not-sent", "sold-twice"]],
  ["but not if it was seen only beside others", 1, ["taken-not-sent"]],
])("what else is wrong with a culprit is told %s", async (_what, fewest, ids) => {
  const defect = (id: string, beside: number) => (id === "callback-late" && beside > fewest ? "sold-twice" : undefined);
  const { find } = harmed({ by: (run) => run.includes("callback-late"), cure: "reset", defect });

  const [, culprit] = await find(...TWO);

  expect(culprit?.verdicts.map(({ id }) => id)).toEqual(ids);
});

test("orders that harm it only together are told so", async () => {
  const { find } = harmed({ by: (ids) => ids.length > 1, cure: "reset" });

  expect(told(await find(...TWO))).toEqual([
    `defect taken-not-sent: after 2 orders at once, and not after each alone: ${AFTERWARDS}`,
    RIGHT,
  ]);
});

test("what came only once is not assessed, and a defect that was confirmed stays one", async () => {
  const once = () => {
    let times = 0;
    return () => (times += 1) === 1;
  };
  const flaky = harmed({ by: once(), cure: "reset" });
  const broken = harmed({
    by: once(),
    cure: "reset",
    defect: (id) => (id === "result-failed" ? "sold-twice" : undefined),
  });

  expect(told(await flaky.find(...TWO))).toEqual([`not assessed order: only once: ${AFTERWARDS}`, RIGHT]);
  expect(told(await broken.find("result-failed"))).toEqual(["defect sold-twice: it was seen"]);
});

test("an application that does not come right again has ended, and everything that ran may be the cause", async () => {
  const ended = await endOf(harmed({ by: () => true }).find(...TWO));

  expect(ended.message).toBe("the application does not come right again, not even after a reset");
  expect(told(ended.results)).toEqual([1, 2].map(() => `${HARMFUL}; any of the 2 orders of this run may be the cause`));
});

test.each([new NoVerdict("reset failed"), new ApplicationEnded("stopped answering", [])])(
  "an application that can no longer be run has not come right: %s",
  async (error) => {
    const blame = new Blame(
      () => Promise.reject(error),
      { map: BARE_MAP, act: async () => undefined },
      async () => [],
    );

    const seen = resultOf({ defect: defectOf("taken-not-sent", "it was seen") });

    expect(told((await endOf(blame.find(runOf([seen]), seen))).results)).toEqual([HARMFUL]);
  },
);

test("an application that a plain order finds ended was ended by what ran before", async () => {
  const plain = resultOf({ defect: defectOf("stops-answering", "connection refused") });
  const storm = runOf(TWO.map((id) => resultOf({ experiment: experiment(id) })));

  const ended = await endOf(
    plainOrderAfter(storm, () => Promise.reject(new ApplicationEnded("stopped answering", [plain]))),
  );

  expect(ended.message).toBe("the application stopped answering");
  expect(ended.results.map(({ experiment: { id }, defect }) => [id, defect?.id])).toEqual(
    TWO.map((id) => [`airtime-1-${id}`, "stops-answering"]),
  );
});

test.each([
  ["refused-402", "taken-not-sent", "risk"],
  ["refused-422", "taken-not-sent", "defect"],
  ["refused-402", "wrong-debit", "defect"],
])("after %s, %s is a %s: without money or credentials, a person may be waited for", async (fault, wrong, verdict) => {
  const own = await harmed({ by: (ids) => ids.includes(fault), cure: "reset", wrong, defect: () => undefined }).find(
    fault,
  );
  const broken = harmed({
    by: (ids) => ids.includes(fault),
    cure: "reset",
    wrong,
    defect: (id) => (id === fault ? "sold-twice" : undefined),
  });

  expect(told(own)).toEqual([`${verdict} ${wrong}: ${AFTERWARDS}`]);
  expect(onlyResult({ results: await broken.find(fault) })).toMatchObject({ verdict: "defect", defect: {} });
});

test.each([
  [{ claim: "no answer", said: "" }, "wrong-debit", "stops answering"],
  [{ claim: "open", said: "" }, "taken-not-sent", "takes orders and sends nothing any more"],
  [{ claim: "open", said: "" }, "outcome-lost", "from then on keeps it open"],
] as const)(
  "a plain order afterwards of which is said %j (%s) shows that the application %s",
  async (claimed, id, title) => {
    const seen = resultOf({ defect: { ...defectOf(id), title: "keeps it open" } });
    const order = { ...seen.order, claimed };
    const blame = new Blame(
      () => Promise.reject(new NoVerdict("")),
      { map: BARE_MAP, act: async () => undefined },
      async () => [],
    );

    const { results } = await endOf(blame.find(runOf([seen]), { ...seen, order }));

    expect(results.map(({ defect }) => defect?.title)).toEqual([title]);
  },
);

async function endOf(ending: Promise<unknown>): Promise<ApplicationEnded> {
  const error = await ending.catch((reason: unknown) => reason);
  if (error instanceof ApplicationEnded) return error;
  throw new Error(`it has not ended: ${JSON.stringify(error)}`);
}
