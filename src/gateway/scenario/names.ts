import type * as z from "zod";
import { closestWord } from "../document/closest-word.ts";
import { addProblem, type ValueProblem } from "../document/values.ts";
import type { TimelineAction } from "./timeline-steps.ts";

/** The parts of a scenario that contain names. */
interface Named {
  readonly rules: readonly { readonly name: string }[];
  readonly timeline: readonly { readonly do: TimelineAction }[];
}

/** Refuses two rules of one name, and steps that switch a rule that does not exist. */
export function checkNames({ rules, timeline }: Named, context: z.RefinementCtx): void {
  const names = rules.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    const problem = `${JSON.stringify(name)} is already the name of rules[${first}]`;
    if (first < index) addProblem(context, { path: ["rules", index, "name"], problem, repair: "write another one" });
  }
  for (const [index, { do: step }] of timeline.entries())
    for (const name of Object.keys(step.rule ?? {}))
      if (!names.includes(name))
        addProblem(context, { ...unknownRule(name, names), path: ["timeline", index, "do", "rule", name] });
}

function unknownRule(name: string, names: readonly string[]): ValueProblem {
  const meant = closestWord(name, names);
  const repair =
    meant === undefined ? "write the name of a rule of this file" : `did you mean ${JSON.stringify(meant)}?`;
  return { problem: "no rule has this name", repair };
}
