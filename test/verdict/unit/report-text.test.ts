import { expect, test } from "vitest";
import { untriedTrial } from "../../../src/verdict/report/report.ts";
import type { Verdict } from "../../../src/verdict/verdict.ts";
import { renderTerminal } from "../../../src/verdict/report/terminal.ts";
import { describeRest } from "../../../src/verdict/report/describe-rest.ts";
import { describeProblem, describeProgress, describeRun } from "../../../src/verdict/report/text.ts";
import { RIGHT, sampleReport, sampleTrial, SOLD_TWICE, verdictOf } from "../../support/sample-report.ts";

const PLAIN = { color: false };

test("the headline counts each severity, most severe first", () => {
  const verdicts = [
    verdictOf("hint"),
    verdictOf("cost"),
    verdictOf("risk", { id: "one" }),
    verdictOf("risk", { id: "two" }),
    SOLD_TWICE,
  ];

  expect(sampleReport({ trials: [sampleTrial({ verdicts })] }).summary).toBe("1 defect, 2 risks, 1 cost, 1 hint");
});

const BUSY = verdictOf("not assessed", { seen: "too busy" });
const UNCLEAR = sampleTrial({ verdict: "not assessed", verdicts: [BUSY] });
const UNTRIED = untriedTrial(sampleTrial(), "it was interrupted");
const PLAYED = sampleTrial({ verdict: "right", verdicts: [RIGHT] });
const PLAIN_ORDER = sampleTrial({ places: [], verdict: "right", verdicts: [RIGHT] });

test.each([
  [[PLAIN_ORDER, UNTRIED, UNTRIED], "No verdict: 2 of 2 faults not tried"],
  [[PLAIN_ORDER, PLAYED, UNTRIED, UNCLEAR], "No verdict: 1 of 3 faults not tried, 1 not assessed"],
  [[PLAYED, UNCLEAR, UNCLEAR], "No verdict: 2 of 3 faults not assessed"],
  [[{ ...UNCLEAR, places: [] }], "No verdict: too busy"],
  [[{ ...UNTRIED, places: [] }], "No verdict: 1 of 1 trial not tried"],
  [
    [sampleTrial({ verdict: "risk", verdicts: [verdictOf("risk")] }), UNTRIED],
    "No verdict: 1 of 2 faults not tried; 1 risk",
  ],
  [[sampleTrial(), UNTRIED], "1 defect"],
  [[...Array.from({ length: 9 }, () => PLAYED), UNTRIED], "No defect"],
  [[], "No verdict: nothing was tried"],
])("the headline never says that there is no defect where too little was tried: %#", (trials, summary) => {
  expect(sampleReport({ trials }).summary).toBe(summary);
});

test("a run in progress has its defects, and no verdict yet", () => {
  expect(sampleReport({ trials: [], is_over: false }).summary).toBe("No defect");
});

test.each([
  [{ total: 1, done: 1, runs: 1, redundant: 0 }, "1 of 1 fault tried in 1 run, seed 7, took 2.1s"],
  [
    { total: 1830, done: 1000, runs: 999, redundant: 1_234_567 },
    "1,000 of 1,830 faults tried in 999 runs (1,234,567 redundant ones skipped), seed 7, took 2.1s",
  ],
  [{ total: 0, done: 0, runs: 0, redundant: 0 }, "4 trials, seed 7, took 2.1s"],
  [
    {
      total: 1,
      done: 1,
      runs: 1,
      redundant: 0,
      duration_ms: 84_000,
      time: { quiet_ms: 31_000, restarting_ms: 12_000 },
    },
    "1 of 1 fault tried in 1 run, seed 7, took 84s: 31s waiting until nothing happened any more, 12s restarting",
  ],
])("of a run with %j it says %s", (changes, words) => {
  expect(describeRun(sampleReport(changes))).toBe(words);
});

test.each([
  [{ done: 0 }, "now: 0 of 4 faults tried, 1 defect"],
  [{ done: 4 }, "now: 4 of 4 faults tried, 1 defect"],
  [{ done: 1 }, "now: 1 of 4 faults tried, 1 defect, about 6.4s left"],
])("progress of %j is described as: %s", (changes, words) => {
  expect(describeProgress(sampleReport({ ...changes, doing: "now" }))).toBe(words);
});

test("everything that is neither a problem nor a success is listed: left open, not assessed with each reason, stopped, not looked at, evicted", () => {
  const open = verdictOf("open");
  const busy = verdictOf("not assessed", { seen: "too busy" });
  const trials = [
    sampleTrial({ verdicts: [open, busy], evicted: 3 }),
    sampleTrial({ verdicts: [open, busy], evicted: 1 }),
    sampleTrial({ verdicts: [verdictOf("not assessed", { seen: "no status" }), RIGHT, SOLD_TWICE] }),
  ];

  expect(describeRest(sampleReport({ trials, stopped: "it was interrupted", not_looked_at: ["a", "b"] }))).toEqual([
    "Correct: 2 orders left open for review, because nobody could know the outcome.",
    "Not assessed: 2 (too busy)",
    "Not assessed: 1 (no status)",
    "Stopped after 3 of 4 faults: it was interrupted.",
    "Not looked at: a, b.",
    "Incomplete: 4 requests are no longer in the journal.",
  ]);
  expect(describeRest(sampleReport({ trials: [sampleTrial()], not_looked_at: [] }))).toEqual([]);
});

test("a problem is shown with how often it was seen, what follows, and the other trials that show it", () => {
  const verdict = { ...SOLD_TWICE, count: 3 };
  const trials = [sampleTrial({ verdicts: [verdict] }), sampleTrial({ id: "b", faults: "it is late" })];
  const report = sampleReport({ trials });

  const told = report.problems.flatMap((problem) => describeProblem(problem, report));

  expect(Object.fromEntries(told.map(({ label, texts }) => [label, texts]))).toMatchObject({
    truths: ["your backend says: paid; the customer got KES 200.00; you paid KES 190.00"],
    seen: [`${SOLD_TWICE.seen} (3 times) (airtime-1-reset-after-accept)`],
    "so also": ["KES 100 twice (repeated-at-once)"],
    "also when": ["it is late (b)"],
  });
  expect(told.map(({ label }) => label)).not.toContain("why");
});

test("an evicted callback is shown by its request's id alone, without an outcome", () => {
  const exchanges: Verdict["exchanges"] = [
    { kind: "request", request_id: "x" },
    { kind: "callback", request_id: "x", attempt: 2 },
  ];
  const report = sampleReport({ trials: [sampleTrial({ verdicts: [{ ...SOLD_TWICE, exchanges }] })] });

  const told = report.problems.flatMap((problem) => describeProblem(problem, report));

  expect(told.find(({ label }) => label === "exchanges")?.texts).toEqual([
    "request x, which is no longer in the journal",
    "callback 2 of x, which is no longer in the journal",
  ]);
});

test("the terminal's matrix has a sign at each point that was tried and a blank elsewhere", () => {
  const trials = [
    sampleTrial({ id: "a", places: [{ point: "p", fault: "result-failed" }], verdict: "risk", verdicts: [] }),
    sampleTrial({ id: "b", places: [{ point: "q", fault: "never-settles" }], verdict: "open", verdicts: [] }),
  ];

  const lines = renderTerminal(sampleReport({ trials }), PLAIN);

  expect(lines.slice(2, 6)).toEqual([
    `  ${" ".repeat(32)}p`,
    `  ${" ".repeat(32)}│  q`,
    `  ${"result-failed".padEnd(32)}!   `,
    `  ${"never-settles".padEnd(32)}   ?`,
  ]);
});

test("with color, a defect is red, a risk is yellow, and the name and the last line are bold", () => {
  const trials = [sampleTrial({ verdicts: [SOLD_TWICE, verdictOf("risk")] })];

  const lines = renderTerminal(sampleReport({ name: "a shop", trials }), { color: true });

  expect(lines[0]).toBe("\u001b[1ma shop\u001b[22m");
  expect(lines).toContainEqual(expect.stringContaining("\u001b[31m1. SOLD TWICE:\u001b[39m When "));
  expect(lines).toContainEqual(expect.stringContaining("\u001b[33m2. risk: a-risk:\u001b[39m It "));
  expect(lines.at(-1)).toMatch(/^.\[1m1 defect, 1 risk; .*\..\[22m$/);
});

test("characters that reverse text are shown by their number in the terminal", () => {
  const [name] = renderTerminal(sampleReport({ name: "a\u202eb\u0007\u001b[31mc\u2028d\u061ce" }), PLAIN);

  expect(name).toBe("a<U+202E>b [31mc d<U+061C>e");
});
