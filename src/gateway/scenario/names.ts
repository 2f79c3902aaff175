import type * as z from "zod";
import { closestWord } from "../document/closest-word.ts";
import { complain, type ValueProblem } from "../document/values.ts";
import type { TimelineAction } from "./timeline-steps.ts";

/** The parts of a scenario that contain names. */
interface Named {
  readonly rules: readonly { readonly name: string }[];
  readonly timeline: readonly { readonly do: TimelineAction }[];
}

/** Refuses two rules of one name, and steps that switch a rule that does not exist. */
export function checkNames({ rules, timeline }: Named, context: z.RefinementCtx): void {
  const names = rules.map(({ name }) => name);
  for (const complaint of [...repeatedNames(names), ...unknownRules(timeline, names)]) complain(context, complaint);
}

function repeatedNames(names: readonly string[]): ValueProblem[] {
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (first === index) return [];
    return [
      {
        path: ["rules", index, "name"],
        problem: `${JSON.stringify(name)} is already the name of rules[${first}]`,
        repair: "write another one",
      },
    ];
  });
}

function unknownRules(timeline: Named["timeline"], names: readonly string[]): ValueProblem[] {
  return timeline.flatMap(({ do: { rule = {} } }, index) =>
    Object.keys(rule)
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
