import { parseInstant } from "../../../domain/time.ts";
import type { Attempt } from "../../../control-client/shapes.ts";
import { dayOf, timeOfDay } from "../../format.ts";

/** How far a manual clock goes: by a duration such as "10m", to a moment in ISO 8601, or to the "next" thing that is due. */
export type Step = { readonly by: string } | { readonly to: string };

/** What came of one. */
interface Stepped {
  readonly step: Step;
  readonly fired: readonly Pick<Attempt, "acknowledged">[];
  /** Why it stopped on its way, in the control API's words. */
  readonly problem?: string;
}

/** "Advanced by 10m", "Advanced to the next event". */
export function stepWords(step: Step): string {
  if ("by" in step) return `Advanced by ${step.by}`;
  const at = parseInstant(step.to);
  return at === undefined ? "Advanced to the next event" : `Advanced to ${dayOf(at)} ${timeOfDay(at)}`;
}

/** What a screen reader says after it. */
export function sumUp({ step, fired, problem }: Stepped): string {
  const count =
    fired.length === 0 ? "no callback was sent" : fired.length === 1 ? "1 callback was sent" : `${fired.length} callbacks were sent`;
  const unacknowledged = fired.filter(({ acknowledged }) => !acknowledged).length;
  const answers = unacknowledged === 0 ? "" : `, ${unacknowledged} of them not acknowledged`;
  return `${stepWords(step)}: ${count}${answers}${problem === undefined ? "." : "; it stopped on the way."}`;
}
