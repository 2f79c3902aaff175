import * as fc from "fast-check";
import type { Report } from "../report.ts";
import { anyCourse, type Course } from "./course.ts";
import { type WrittenRehearsal, writeCourse } from "./write-course.ts";

export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** Orders of which the gateway makes something special. */
  readonly orders: number;
  /** The rehearsal for a course, its scenario apart. */
  readonly baseFor: (course: Course) => WrittenRehearsal;
  /** Runs a rehearsal on a fresh account. */
  readonly perform: (written: WrittenRehearsal) => Promise<Report>;
  readonly onProgress: (words: string) => void;
}

export type Fuzzed = { readonly is: "sound"; readonly runs: number } | Broken;

/** The smallest course that was found to break a check, and what came of it when it was run once more. */
export interface Broken {
  readonly is: "broken";
  readonly course: Course;
  readonly written: WrittenRehearsal;
  readonly report: Report;
  /** Courses that were run before the first one failed. */
  readonly runs: number;
  /** How often it was made smaller. */
  readonly shrinks: number;
}

/** Tries courses until one breaks a check, and makes that one as small as it can. Rejects with what kept a rehearsal from running. */
export async function fuzz({ runs, seed, orders, baseFor, perform, onProgress }: FuzzOptions): Promise<Fuzzed> {
  const write = (course: Course): WrittenRehearsal => writeCourse(baseFor(course), course);
  let obstacle: { readonly error: unknown } | undefined;
  let tried = 0;
  const property = fc.asyncProperty(anyCourse(orders), async (course) => {
    if (obstacle !== undefined) return true;
    tried += 1;
    onProgress(`run ${tried}`);
    try {
      return !hasFailed(await perform(write(course)));
    } catch (error) {
      obstacle = { error };
      return true;
    }
  });
  const found = await fc.check(property, { numRuns: runs, seed });
  if (obstacle !== undefined) throw obstacle.error;
  if (found.counterexample === null) return { is: "sound", runs: found.numRuns };
  const [course] = found.counterexample;
  const written = write(course);
  return { is: "broken", course, written, report: await perform(written), runs: found.numRuns, shrinks: found.numShrinks };
}

function hasFailed({ checks }: Report): boolean {
  return checks.some(({ verdict }) => verdict.is === "failed");
}
