import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { anyCourse } from "../../src/rehearsal/fuzz/course.ts";
import { fuzz, type FuzzOptions } from "../../src/rehearsal/fuzz/fuzz.ts";
import { countCallbacks, writeCourse, type WrittenRehearsal } from "../../src/rehearsal/fuzz/write-course.ts";
import { parseRehearsal } from "../../src/rehearsal/rehearsal-schema.ts";
import type { Report, Verdict } from "../../src/rehearsal/report.ts";

const BASE: WrittenRehearsal = {
  version: 1,
  name: "fuzz",
  clock: "manual",
  drive: [{ advance: "all" }],
  expect: [{ callbacks: { acknowledged: "all" } }],
};

test("every course is a rehearsal that can be run", () => {
  const isRead = fc.property(anyCourse(5), (course) => {
    const read = parseRehearsal(stringify(writeCourse(BASE, course)), "fuzz.yaml");

    expect(read).toHaveProperty("rehearsal.drive.length", course.strays.length + 1);
  });

  fc.assert(isRead);
});

test("every course sends each callback at least once, and never back in time", () => {
  const isLegal = fc.property(anyCourse(5), ({ fates }) => {
    expect(fates.every(({ sendings }) => sendings.length > 0)).toBe(true);
    expect(fates.map(({ sendings }) => sendings)).toEqual(fates.map(({ sendings }) => sendings.toSorted((one, other) => one - other)));
  });

  fc.assert(isLegal);
});

test("finds one callback too many and makes it as small as it can be", async () => {
  const found = await fuzz(fuzzing({ judge: (text) => (/sendings:\n\s+- \S+\n\s+- /.test(text) ? failing : passing) }));

  expect(found).toMatchObject({ is: "broken", course: { fates: [{ outcome: "success", settlesAfter: 0, sendings: [0, 0] }], strays: [] } });
  expect(countCallbacks(Object(found).course)).toBe(2);
});

test("says how often it tried where nothing fails", async () => {
  const found = await fuzz(fuzzing({ judge: () => passing }));

  expect(found).toEqual({ is: "sound", runs: 50 });
});

test("the same seed tries the same courses", async () => {
  const [first, second]: [string[], string[]] = [[], []];

  await fuzz(fuzzing({ judge: (text) => (first.push(text), passing) }));
  await fuzz(fuzzing({ judge: (text) => (second.push(text), passing) }));

  expect(second).toEqual(first);
});

test("stops where a rehearsal cannot be run, and takes that for no failure", async () => {
  const tried: string[] = [];
  const fuzzed = fuzz(
    fuzzing({
      judge: (text) => {
        tried.push(text);
        throw new Error("nobody is there");
      },
    }),
  );

  await expect(fuzzed).rejects.toThrow("nobody is there");
  expect(tried).toHaveLength(1);
});

const passing: Verdict = { is: "passed", seen: "all of it" };
const failing: Verdict = { is: "failed", seen: "too much", exchanges: [] };

function fuzzing({ judge }: { judge: (text: string) => Verdict }): FuzzOptions {
  const perform = async (written: WrittenRehearsal): Promise<Report> => reportOf(judge(stringify(written)));
  return { runs: 50, seed: 1, orders: 4, baseFor: () => BASE, perform, onProgress: () => {} };
}

function reportOf(verdict: Verdict): Report {
  const checks = [{ name: "all is well", verdict }];
  return { name: "fuzz", startedAt: 0, duration: 0, clock: "manual", seed: 1, checks, findings: [], timeline: [], wallet: [] };
}
