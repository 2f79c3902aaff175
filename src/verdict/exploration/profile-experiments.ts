import type { Operation } from "../../gateway/domain/order.ts";
import { withProfileChange } from "../../gateway/settings/profile-change.ts";
import { type ProfileSettings, PROFILE_DEFAULTS as SETTINGS } from "../../gateway/settings/profiles.ts";
import type { Application } from "../application/application.ts";
import { type Verdict, type VerdictKind, worstOf } from "../verdict.ts";
import { type ProfileTrial, PROFILE_TRIALS } from "../profile-trials.ts";
import { requested } from "./conditions.ts";
import { type Experiment, type PlannedOrder, withDraws } from "./experiment.ts";
import { firstFaults } from "./experiments.ts";
import { notAssessed, type Result } from "./result.ts";

/** The faults with which each profile is tried. */
const FAULTS_OF_ORDERS = [undefined, "result-failed", "refused-402", "refused-422", "callback-before-ack"];

interface ProfileOptions {
  readonly application: Pick<Application, "map" | "hasStatusOfEach">;
  readonly profile?: ProfileSettings;
  /** The ids of what is tried. Defaults to all. */
  readonly faults?: readonly string[];
  /** The verdict on an experiment without the profile. */
  readonly verdictOf: (id: string) => VerdictKind | undefined;
}

/**
 * Returns an experiment for each operation and each setting of a profile that differs from the sandbox's. It has an order for each outcome
 * that it may change and that the application gets right without it, so that whatever goes wrong is due to the profile.
 */
export function profileExperiments(operations: readonly Operation[], options: ProfileOptions): Experiment[] {
  const { faults, profile = SETTINGS.document } = options;
  const isOther = ({ change }: ProfileTrial): boolean =>
    JSON.stringify(withProfileChange(profile, change)) !== JSON.stringify(profile);
  const played = PROFILE_TRIALS.filter((one) => (faults === undefined || faults.includes(one.id)) && isOther(one));
  return operations.flatMap((operation) =>
    played.flatMap((trial) => {
      const orders = (trial.operation ?? operation) === operation ? ordersOf(operation, trial, options) : [];
      if (orders.length === 0) return [];
      return {
        id: `${operation}-${trial.id}`,
        name: trial.id,
        words: `the gateway sends ${trial.sends}`,
        operation,
        orders,
        profile: trial.change,
        happened: requested,
      };
    }),
  );
}

/** Without a status of each order, only one order can be judged. */
function ordersOf(
  operation: Operation,
  { faults, isOfWrongOrders = false }: ProfileTrial,
  { application, verdictOf }: ProfileOptions,
): PlannedOrder[] {
  const { map, hasStatusOfEach } = application;
  const hasReceiver = map.callbacks[operation] !== undefined;
  const isPlayed = (fault: string | undefined): boolean => {
    const verdict = verdictOf(fault === undefined ? `${operation}-plain` : `${operation}-1-${fault}`);
    return verdict === undefined || isSound(verdict) !== isOfWrongOrders;
  };
  return (faults ?? FAULTS_OF_ORDERS)
    .slice(0, hasStatusOfEach ? undefined : 1)
    .filter((fault) => hasReceiver || fault !== "callback-before-ack")
    .filter(isPlayed)
    .map((fault) => (fault === undefined ? {} : { faults: firstFaults(operation, [fault]) }));
}

function isSound(verdict: VerdictKind): boolean {
  return verdict === "right" || verdict === "open";
}

export function isDefectOrRisk({ verdict }: Pick<Result, "verdict">): boolean {
  return verdict === "defect" || verdict === "risk";
}

/** Returns an experiment with the same orders under the sandbox's own profile. What ends the application then is not due to another. */
export function withoutProfile({ experiment, draws }: Pick<Result, "experiment" | "draws">): Experiment {
  const { profile: _profile, name: _name, ...same } = withDraws(experiment, draws);
  return { ...same, id: `${same.operation}-several`, words: "several orders are placed at once" };
}

/**
 * Compares a result under a profile with that of the same orders without it, if they were placed. What goes wrong under the profile alone is
 * a defect if the live gateway was seen to answer so, and otherwise a risk.
 */
export function onlyWithProfile(result: Result, control: Result | undefined): Result {
  const played = PROFILE_TRIALS.find(({ id }) => id === result.experiment.name);
  if (played === undefined || result.experiment.profile === undefined) return result;
  const { defect: _defect, ...rest } = result;
  if (control === undefined || control.isUnclear || control.unmet !== undefined)
    return { ...rest, ...notAssessed(result, UNCOMPARED) };
  const isOwn = (one: Verdict): boolean => !control.verdicts.some(({ id, is }) => id === one.id && is === one.is);
  const verdicts = result.verdicts.filter(isOwn).map((one): Verdict => ({
    ...one,
    is: one.is === "defect" && played.isObserved !== true ? "risk" : one.is,
  }));
  if (!verdicts.some(({ is }) => isDefectOrRisk({ verdict: is })))
    return { ...rest, ...notAssessed(result, "the same orders go wrong together without this profile, too") };
  return { ...rest, verdict: worstOf(verdicts), verdicts, defect: verdicts.find(({ is }) => is === "defect") };
}

const UNCOMPARED = "it went wrong, and the same orders were not assessed without this profile";
