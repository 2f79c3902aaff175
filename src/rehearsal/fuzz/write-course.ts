import { formatDuration } from "../../domain/time.ts";
import type { Course, Fate } from "./course.ts";

/** A rehearsal as it stands in a file. */
export type WrittenRehearsal = Readonly<Record<string, unknown>>;

/** A number that behaves normally whatever else is active, for requests that nobody made. */
const STRAY_NUMBER = "254700000099";

/** The rehearsal with a course in the place of its scenario: what is run, what is written out, what plays the failure again. */
export function writeCourse(base: WrittenRehearsal, course: Course): WrittenRehearsal {
  const { drive, expect, ...head } = base;
  const steps = Array.isArray(drive) ? drive : [];
  return { ...head, scenario: writeScenario(course), drive: [...course.strays.map(strayStep), ...steps], expect };
}

function strayStep(): unknown {
  return { sandbox: { airtime: { phone_number: STRAY_NUMBER, amount: "5" } } };
}

function writeScenario({ strays, fates }: Course): unknown {
  return {
    version: 1,
    name: "fuzzed",
    rules: [
      ...strays.map((delay, index) => ({
        name: `a result of a request that nobody made, ${index + 1}`,
        when: { phone_number: STRAY_NUMBER, nth: 1 },
        then: { result: { delay: formatDuration(delay), charge: "0" }, callback: { unknown_id: true } },
      })),
      ...fates.map((fate, index) => ({ name: `order ${index + 1}`, when: { nth: 1 }, then: writeFate(fate) })),
    ],
  };
}

/** An early callback goes at acceptance, so its result has no delay of its own. */
function writeFate({ outcome, settlesAfter, sendings, isEarly }: Fate): unknown {
  const isOrdinary = sendings.length === 1 && sendings[0] === 0;
  const result = {
    ...(!isEarly && { delay: formatDuration(settlesAfter) }),
    ...(outcome === "failure" && { result_code: 500, result_desc: "The carrier could not complete the request." }),
  };
  const callback = { ...(isEarly && { before_ack: true }), ...(!isOrdinary && { sendings: sendings.map(formatDuration) }) };
  return { ...(Object.keys(result).length > 0 && { result }), ...(Object.keys(callback).length > 0 && { callback }) };
}

/** How many callbacks come of it. */
export function countCallbacks({ fates, strays }: Course): number {
  return fates.reduce((sum, { sendings }) => sum + sendings.length, strays.length);
}
