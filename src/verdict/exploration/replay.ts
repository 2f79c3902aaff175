import { stringify } from "yaml";
import type { VerdictProblem } from "../report/report.ts";

/** A rehearsal file that replays one trial. */
export interface Replay {
  /** The file name without a folder. */
  readonly file: string;
  readonly text: string;
  /** The id of the trial. */
  readonly trial: string;
}

/** The most characters in a rehearsal's name. */
const LONGEST_NAME = 64;

/** Writes the rehearsal that replays the first trial of a defect: the same orders, the same faults, the same seed. */
export function replayOf({ sentence, first, trials }: VerdictProblem, seed: number): Replay | undefined {
  const trial = trials.find(({ replay }) => replay !== undefined);
  if (trial?.replay === undefined) return undefined;
  const name = trial.id.slice(0, LONGEST_NAME);
  const { scenario, steps } = trial.replay;
  const document = { version: 1, name, description: `${sentence} Seen: ${first.seen}.`, seed, scenario, steps };
  return {
    trial: trial.id,
    file: `${name}.yaml`,
    text: `# Found by kredo explore; replay it with kredo rehearse.\n${stringify(document, { lineWidth: 0 })}`,
  };
}
