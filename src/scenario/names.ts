import * as z from "zod";
import { closestWord } from "../document/closest-word.ts";
import { complain, type ValueProblem } from "../document/values.ts";
import { INITIAL_STATE } from "./rule-request.ts";
import type { Effects } from "./effects.ts";
import type { When } from "./matchers.ts";
import type { TimelineAction } from "./timeline.ts";

/** The names in a file that refer to each other. */
export interface Names {
  readonly rules: readonly {
    readonly name?: string | undefined;
    readonly in?: string | undefined;
    readonly enters?: string | undefined;
  }[];
  readonly steps: readonly { readonly switches: readonly string[]; readonly enters?: string | undefined }[];
}

/** Refuses duplicate names, and references to names that do not exist. */
export function checkNames(names: Names, context: z.RefinementCtx): void {
  for (const complaint of [...repeatedNames(names), ...unknownRules(names), ...unreachableStates(names)])
    complain(context, complaint);
}

/** The parts of a scenario that contain names. */
interface Named {
  readonly rules: readonly { readonly name: string; readonly when: When; readonly then: Effects }[];
  readonly timeline: readonly { readonly do: TimelineAction }[];
}

export function namesOf({ rules, timeline }: Named): Names {
  return {
    rules: rules.map(({ name, when, then }) => ({ name, in: when.in, enters: then.enter })),
    steps: timeline.map(({ do: action }) => ({
      switches: Object.keys(action.rule ?? {}),
      enters: action.enter,
    })),
  };
}

const text = z.lazy(() =>
  z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
);

const writtenRule = z.lazy(() =>
  z.looseObject({
    name: text,
    when: z.looseObject({ in: text }).catch({}).prefault({}),
    then: z.looseObject({ enter: text }).catch({}).prefault({}),
  }),
);

const writtenStep = z.lazy(() =>
  z.looseObject({
    do: z
      .looseObject({ rule: z.record(z.string(), z.unknown()).catch({}).prefault({}), enter: text })
      .catch({ rule: {} })
      .prefault({}),
  }),
);

/** Checks the names in a file that has other mistakes, so that all mistakes are reported at once. */
export const namesSchema = z.lazy(() =>
  z
    .looseObject({
      rules: z
        .array(writtenRule.catch({ when: {}, then: {} }))
        .catch([])
        .prefault([]),
      timeline: z
        .array(writtenStep.catch({ do: { rule: {} } }))
        .catch([])
        .prefault([]),
    })
    .transform(({ rules, timeline }): Names => ({
      rules: rules.map(({ name, when, then }) => ({ name, in: when.in, enters: then.enter })),
      steps: timeline.map(({ do: { rule, enter } }) => ({ switches: Object.keys(rule), enters: enter })),
    }))
    .superRefine(checkNames),
);

function repeatedNames({ rules }: Names): ValueProblem[] {
  const names = rules.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (name === undefined || first === index) return [];
    return [
      {
        path: ["rules", index, "name"],
        problem: `${JSON.stringify(name)} is already the name of rules[${first}]`,
        repair: "write another one",
      },
    ];
  });
}

function unknownRules({ rules, steps }: Names): ValueProblem[] {
  const names = rules.flatMap(({ name }) => name ?? []);
  return steps.flatMap(({ switches }, index) =>
    switches
      .filter((name) => !names.includes(name))
      .map((name) => ({ ...unknownRule(name, names), path: ["timeline", index, "do", "rule", name] })),
  );
}

function unknownRule(name: string, names: readonly string[]): ValueProblem {
  const meant = closestWord(name, names);
  const repair =
    meant === undefined ? "write the name of a rule of this file" : `did you mean ${JSON.stringify(meant)}?`;
  return { problem: "no rule has this name", repair };
}

function unreachableStates({ rules, steps }: Names): ValueProblem[] {
  const states = [INITIAL_STATE, ...[...rules, ...steps].flatMap(({ enters }) => enters ?? [])];
  return rules.flatMap(({ in: wanted }, index) => {
    if (wanted === undefined || states.includes(wanted)) return [];
    const meant = closestWord(wanted, states);
    const repair =
      meant === undefined
        ? `enter it somewhere, or write ${INITIAL_STATE}, the initial state`
        : `did you mean "${meant}"?`;
    return [
      { path: ["rules", index, "when", "in"], problem: `no rule or step enters ${JSON.stringify(wanted)}`, repair },
    ];
  });
}
