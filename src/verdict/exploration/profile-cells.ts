import type { Operation } from "../../gateway/domain/order.ts";
import {
  type ProfileSettings,
  PROFILE_DEFAULTS as SETTINGS,
  withProfileChange,
} from "../../gateway/settings/profiles.ts";
import type { Application } from "../application/application.ts";
import { type Verdict, type VerdictKind, worstOf } from "../verdict.ts";
import { type ProfileTrial, PROFILE_TRIALS } from "../profile-trials.ts";
import type { Cell, SpecialTrial } from "./cell.ts";
import { type CellResult, notAssessed } from "./cell-result.ts";

/** The faults with which each profile is tried. */
const FAULTS_OF_ORDERS = [undefined, "result-failed", "refused-402", "refused-422", "callback-before-ack"] as const;

interface ProfileTrialOptions {
  readonly application: Pick<Application, "map" | "hasStatusOfEach">;
  readonly profile?: ProfileSettings;
  /** The ids of what is tried. Defaults to all. */
  readonly faults?: readonly string[];
  /** The verdict on a cell without the profile. */
  readonly verdictOf: (cellId: string) => VerdictKind | undefined;
}

/**
 * Returns a trial for each operation and each setting of a profile that differs from the sandbox's. It has an order for each outcome that
 * the application gets right without it, so that whatever goes wrong is due to the profile.
 */
export function profileCells(operations: readonly Operation[], options: ProfileTrialOptions): Cell[] {
  const { faults, profile = SETTINGS.document } = options;
  const isOther = ({ change }: ProfileTrial): boolean =>
    JSON.stringify(withProfileChange(profile, change)) !== JSON.stringify(profile);
  const played = PROFILE_TRIALS.filter((one) => (faults === undefined || faults.includes(one.id)) && isOther(one));
  return operations.flatMap((operation) => {
    const orders = ordersOf(operation, options);
    if (orders.length === 0) return [];
    return played.map(({ id, sends, change }) => {
      const special: SpecialTrial = { id, words: `the gateway sends ${sends}`, orders, profileChange: change };
      return { id: `${operation}-${id}`, operation, faults: [], special };
    });
  });
}

/** Without a status of each order, only one order can be judged. */
function ordersOf(operation: Operation, { application, verdictOf }: ProfileTrialOptions): SpecialTrial["orders"] {
  const { map, hasStatusOfEach } = application;
  const hasReceiver = map.callbacks[operation] !== undefined;
  return FAULTS_OF_ORDERS.slice(0, hasStatusOfEach ? undefined : 1)
    .filter((fault) => hasReceiver || fault !== "callback-before-ack")
    .filter((fault) => isSound(verdictOf(fault === undefined ? `${operation}-plain` : `${operation}-1-${fault}`)))
    .map((fault) => (fault === undefined ? {} : { faults: [fault] }));
}

function isSound(verdict: VerdictKind | undefined): boolean {
  return verdict === undefined || verdict === "right" || verdict === "open";
}

export function isDefectOrRisk({ verdict }: Pick<CellResult, "verdict">): boolean {
  return verdict === "defect" || verdict === "risk";
}

export function withoutProfileChange({ special, ...cell }: Cell): Cell {
  return { ...cell, special: special && { ...special, profileChange: undefined } };
}

/**
 * Compares a result under a profile with that of the same orders without it, if they were placed. What goes wrong under the profile alone is
 * a defect if the live gateway was seen to answer so, and otherwise a risk.
 */
export function onlyWithProfileChange(result: CellResult, control: CellResult | undefined): CellResult {
  const played = PROFILE_TRIALS.find(({ id }) => id === result.cell.special?.id);
  if (played === undefined || result.cell.special?.profileChange === undefined) return result;
  const { defect: _defect, ...rest } = result;
  if (control === undefined || control.isUnclear || !control.isPlayed)
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
