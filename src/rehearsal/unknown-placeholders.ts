import { closestWord } from "../document/closest-word.ts";
import type { Complaint } from "../document/values.ts";
import { placeholdersIn } from "./placeholders.ts";
import type { AccountUnderTest, DriveStep, Expectation } from "./rehearsal.ts";

/** What every file may ask for: the two addresses, and a word that is another one in each run. */
const GIVEN = ["app", "sandbox", "run"] as const;

/** What counts the repetitions of a step. */
export const COUNTER = "n";

interface Written {
  readonly account?: AccountUnderTest;
  readonly drive?: readonly DriveStep[];
  readonly expect: readonly Expectation[];
}

/** Names that no step before has captured. */
export function unknownPlaceholders({ account, drive = [], expect }: Written): Complaint[] {
  const known: string[] = [...GIVEN];
  const inSteps = drive.flatMap((step, index) => {
    const found = search(step, [...known, COUNTER], ["drive", index]);
    if (step.kind === "request") known.push(...Object.keys(step.capture));
    return found;
  });
  const inChecks = expect.flatMap((check, index) => search(check, known, ["expect", index]));
  return [...search(account?.callbacks, GIVEN, ["account", "callbacks"]), ...inSteps, ...inChecks];
}

function search(where: unknown, known: readonly string[], path: (string | number)[]): Complaint[] {
  const names = new Set(placeholdersIn(textsOf(where)).filter((name) => !known.includes(name)));
  return [...names].map((name) => {
    const meant = closestWord(name, known);
    const repair =
      meant === undefined ? `capture it in a request before, or write {{${name}}} for the braces themselves` : `did you mean {${meant}}?`;
    return { path, problem: `no step before captures {${name}}`, repair };
  });
}

/** A command's braces belong to its shell. */
function textsOf(value: unknown): unknown {
  if (typeof value === "string" || typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([key, entry]) => key !== "command" && typeof entry !== "function")
    .map(([key, entry]) => [key, textsOf(entry)]);
}
