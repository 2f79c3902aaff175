import { describe, expect, test } from "vitest";
import { findAll, readJunit } from "../support/read-junit.ts";
import { rehearseNaive, rehearseSound } from "../support/rehearse-all.ts";
import { problems } from "../support/rehearse.ts";
import { rehearsalNames } from "../support/rehearsed.ts";
import { defectsIn } from "../support/explored.ts";
import { NAIVE_DEFECTS } from "./naive-defects.ts";
import { startSoundBackend } from "./sound.ts";

// Most of it is waiting, so both go at once.
const [sound, naive] = await Promise.all([rehearseSound(), rehearseNaive()]);

const byId = new Map(naive.flatMap(({ report }) => report.trials).map((trial) => [trial.id, trial]));

test("the sound backend passes every shipped rehearsal, and is accused of nothing at all", () => {
  expect(problems(sound.report)).toEqual([]);
  expect(sound.exitCode).toBe(0);
  expect(sound.report.trials.map(({ id }) => id)).toEqual(rehearsalNames());
});

test("the sound backend takes no callback without the token in its URL", async () => {
  await using backend = await startSoundBackend({ port: 0, gateway: "http://127.0.0.1:1", key: "", secret: "" });
  const body = JSON.stringify({ request_id: "one", charge: 1, account_balance: 1, result_code: 200, result_desc: "" });

  const answers = ["", "?token=guessed", "?token=rehearsal"].map((query) =>
    fetch(`${backend.url}/hooks/airtime${query}`, { method: "POST", body }),
  );

  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 200]);
});

test("every shipped rehearsal is in the table", () => {
  expect(NAIVE_DEFECTS.map(({ name }) => name)).toEqual(rehearsalNames());
});

test("kredo rehearse ends with 1 exactly where the naive backend has a defect", () => {
  expect(naive.map(({ exitCode }) => exitCode)).toEqual(
    naive.map(({ report }) => Number(defectsIn(report).length > 0)),
  );
});

const isDefect = (problem: string): boolean => problem.startsWith("defect");

describe.each(NAIVE_DEFECTS)("$name, naive", ({ name, problems: expected }) => {
  test("names what is wrong with the naive backend, and accuses it of nothing else", () => {
    const trial = byId.get(name);

    const found = problems({ trials: trial === undefined ? [] : [trial] });
    expect(found).toEqual(expect.arrayContaining([...expected]));
    expect([...new Set(found.filter(isDefect))]).toEqual(expected.filter(isDefect));
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
