import { writeYaml } from "../../gateway/document/write-yaml.ts";
import { formatDuration, MINUTE } from "../../gateway/domain/time.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { JOINT_CHECK_IDS, ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import { parseRehearsal } from "../rehearsal/rehearsal-schema.ts";
import type { Performance } from "../rehearsal/rehearsal-steps.ts";
import { perform } from "../rehearsal/rehearse.ts";
import { headline } from "../report/problems.ts";
import type { ReportedProblem, TrialReport } from "../report/report.ts";
import { NoVerdict } from "../trial/environment.ts";
import type { TrialStep } from "../trial/steps.ts";
import { faultsOf, describePoint, type Experiment, firstRequest, scenarioOf } from "./experiment.ts";
import { type Result, withoutUnmet } from "./result.ts";

export function reportTrial(result: Result): TrialReport {
  const { experiment, order, timeline, durationMillis } = result;
  const { verdict, verdicts } = withoutUnmet(result);
  return {
    ...planTrial(experiment),
    verdict,
    verdicts,
    phone_number: order.placed.phoneNumber,
    exchanges: timeline,
    duration_ms: Math.round(durationMillis),
  };
}

export function planTrial(experiment: Experiment): Pick<TrialReport, "id" | "operation" | "faults" | "places"> {
  const { id, operation, words, name } = experiment;
  const places =
    name === undefined
      ? faultsOf(experiment).map((at) => ({ point: describePoint(at), fault: at.fault.id }))
      : [{ point: describePoint(firstRequest(operation)), fault: name }];
  return { id, operation, faults: words, places };
}

/** A rehearsal file that replays a trial. */
export interface Replay {
  readonly file: string;
  readonly text: string;
  readonly trial: string;
}

const LONGEST_NAME = 64;

/** Writes the rehearsal that replays a trial with its defect: the same orders, the same faults, the same seed. */
function writeReplay(result: Result, seed: number): Replay | undefined {
  const { experiment, played, defect, lookedAfter } = result;
  const placed = played.steps.flatMap((step) => ("place" in step ? step.place : []));
  const isOne = placed.length === 1 && !isAtLaterRecipient(experiment, placed);
  const waiting = lookedAfter === undefined ? [] : [{ advance: MINUTE }, { wait: lookedAfter }];
  const steps = stepsOf([...played.steps, ...waiting], isOne);
  if (defect === undefined || experiment.profile !== undefined || steps === undefined) return undefined;
  const name = experiment.id.slice(0, LONGEST_NAME);
  // The faults of one order name a request of it, not its number, so that each replay uses a new one, which no application remembers.
  const scenario = isOne ? scenarioOf(experiment.orders.map(({ faults = [] }) => ({ faults }))) : played.scenario;
  const description = `${headline(reportTrial(result), defect)} Seen: ${defect.seen}.`;
  const document = { version: 1, name, description, seed, scenario, steps };
  return {
    trial: experiment.id,
    file: `${name}.yaml`,
    text: `# Found by kredo explore; replay it with kredo rehearse.\n${writeYaml(document)}`,
  };
}

/** Returns whether a fault is at a later request for the first recipient, which only its number tells from the first one for another. */
function isAtLaterRecipient(experiment: Experiment, placed: readonly ApplicationOrder[]): boolean {
  return placed.some(({ recipients }) => recipients !== undefined) && faultsOf(experiment).some(({ nth }) => nth > 1);
}

/** Returns the steps of a rehearsal; undefined if it has none like them: nothing but an exploration restarts an application or repeats an order. */
function stepsOf(steps: readonly TrialStep[], isOne: boolean): object[] | undefined {
  const written = steps.flatMap((step): (object | undefined)[] => {
    if ("place" in step) {
      const orders = step.place.map((order) => writeOrder(order, isOne));
      const isRepeated = new Set(step.place).size < step.place.length;
      return [isRepeated ? undefined : { order: orders.length === 1 ? orders[0] : orders }];
    }
    if ("advance" in step) return [{ advance: formatDuration(step.advance) }];
    if ("wait" in step) return [{ wait: formatDuration(step.wait) }];
    return "requested" in step ? [] : [undefined];
  });
  const known = written.filter((step) => step !== undefined);
  return known.length === written.length ? known : undefined;
}

function writeOrder({ operation, phoneNumber, amount, message }: ApplicationOrder, isOne: boolean): object {
  const number = isOne ? {} : { phone_number: phoneNumber };
  return { operation, ...number, ...(operation === "sms" ? { message } : { amount }) };
}

/** The most trials of one defect whose replays are played until one shows it. */
const MOST_REPLAYS_PLAYED = 2;

/** Plays the replays of each defect, by its first trials. Yields the first of each that shows it again. */
export async function* provenReplays(
  problems: readonly Pick<ReportedProblem, "is" | "trials">[],
  results: ReadonlyMap<string, Result>,
  options: ReplayOptions,
): AsyncGenerator<Replay> {
  for (const { is, trials } of problems) {
    if (is !== "defect") continue;
    for (const id of trials.slice(0, MOST_REPLAYS_PLAYED)) {
      const result = results.get(id);
      const replay = result && (await provenReplay(result, options));
      if (replay === undefined) continue;
      yield replay;
      break;
    }
  }
}

type ReplayOptions = Omit<Performance, "scenarios">;

/** Plays the rehearsal of a result. Resolves to it if it shows the defect again. */
export async function provenReplay(result: Result, options: ReplayOptions): Promise<Replay | undefined> {
  const replay = writeReplay(result, options.environment.seed);
  if (replay === undefined) return undefined;
  const parsed = parseRehearsal(replay.text, replay.file);
  if ("problems" in parsed) return undefined;
  const { scenario } = parsed.rehearsal;
  const scenarios = typeof scenario === "object" ? [scenario] : [];
  try {
    const { verdicts } = await perform(parsed.rehearsal, { ...options, scenarios });
    const isShown = verdicts.some(({ is, id }) => is === "defect" && isSame(id, result.defect?.id));
    return isShown ? replay : undefined;
  } catch (error) {
    if (error instanceof NoVerdict) return undefined;
    throw error;
  }
}

/** What goes wrong with several orders together has another name where nothing shows each alone. */
function isSame(id: string, found = ""): boolean {
  return id === found || (JOINT_CHECK_IDS.includes(found) && ORDER_CHECK_IDS.includes(id));
}
