import { describe, expect, test } from "vitest";
import { findAll, readJunit } from "../support/read-junit.ts";
import { rehearseNaive, rehearseSound } from "../support/rehearse-all.ts";
import { problems } from "../support/rehearse.ts";
import { rehearsalNames } from "../support/rehearsed.ts";
import { defectsIn } from "../support/explored.ts";
import { NAIVE_DEFECTS } from "./naive-defects.ts";

// Most of it is waiting, so both go at once.
const [sound, naive] = await Promise.all([rehearseSound(), rehearseNaive()]);

const byId = new Map(naive.flatMap(({ report }) => report.trials).map((trial) => [trial.id, trial]));

test("the sound backend passes every shipped rehearsal, and is accused of nothing at all", () => {
  expect(problems(sound.report)).toEqual([]);
  expect(sound.exitCode).toBe(0);
  expect(sound.report.trials.map(({ id }) => id)).toEqual(rehearsalNames());
});

test("every shipped rehearsal is in the table", () => {
  expect(NAIVE_DEFECTS.map(({ name }) => name)).toEqual(rehearsalNames());
});

test("the naive backend makes kredo rehearse end with 1", () => {
  expect(naive.map(({ exitCode }) => exitCode)).toEqual(naive.map(() => 1));
});

describe.each(NAIVE_DEFECTS)("$name, naive", ({ name, problems: expected }) => {
  test("names what is wrong with the naive backend, and accuses it of nothing else", () => {
    const trial = byId.get(name);

    const defects = problems({ trials: trial === undefined ? [] : [trial] }).filter((one) => one.startsWith("defect"));
    expect([...new Set(defects)]).toEqual(expected);
  });
});

test.each([sound, ...naive])(
  "the JUnit file is valid and has a failure for each failed rehearsal",
  async ({ junit, report }) => {
    const failures = findAll(await readJunit(junit), "failure");

    const failed = report.trials.filter(({ verdicts }) => verdicts.some(({ is }) => is === "defect"));
    expect(failures).toHaveLength(failed.length);
  },
);

test.each(naive)("the page and the terminal name each defect of the naive backend", ({ html, printed, report }) => {
  const sentences = defectsIn(report).map(({ sentence }) => sentence);

  expect(sentences.filter((text) => !html.includes(text.slice(0, 30)))).toEqual([]);
  expect(sentences.filter((text) => !printed.includes(text))).toEqual([]);
});
