import type { Operation } from "../gateway/domain/order.ts";
import type { ProfileChange } from "../gateway/settings/profiles.ts";

/** One way in which the gateway may answer, where its specification is silent or the live gateway was seen to do otherwise. */
export interface ProfileTrial {
  readonly id: string;
  /** A clause that follows "the gateway sends". */
  readonly sends: string;
  readonly change: ProfileChange;
  /** What it changes, unless both. */
  readonly operation?: Operation;
  /** The faults of the orders that it changes, unless it may change any. */
  readonly faults?: readonly string[];
  /** Whether it concerns only orders that go wrong without it. */
  readonly isOfWrongOrders?: boolean;
  /** Whether the live gateway was seen to do so (public-facts.md, "Observed live"). */
  readonly isObserved?: true;
}

/** The rows that could turn a verdict, in both directions: which of them differ depends on the settings. */
export const PROFILE_TRIALS: readonly ProfileTrial[] = [
  { id: "profile-callback-text", sends: "result_code as text", change: { callback_values: "text" } },
  { id: "profile-callback-numbers", sends: "result_code as a number", change: { callback_values: "numbers" } },
  {
    id: "profile-refusal-null",
    sends: "request_id null in refusals",
    change: { refusals: { request_id: null } },
    isObserved: true,
  },
  { id: "profile-refusal-id", sends: "a request_id in refusals", change: { refusals: { request_id: "id" } } },
  {
    id: "profile-422-bare",
    sends: "a 422 with its errors alone",
    change: { refusals: { validation: "bare" } },
    isObserved: true,
  },
  {
    id: "profile-422-full",
    sends: "a 422 with status_code and description",
    change: { refusals: { validation: "full" } },
  },
  {
    id: "profile-422-nested",
    sends: "a 422 with status_code among its errors",
    change: { refusals: { validation: "nested" } },
    faults: ["refused-422"],
  },
  {
    id: "profile-422-root",
    sends: "a 422 with its errors beside status_code",
    change: { refusals: { validation: "root" } },
    faults: ["refused-422"],
  },
  {
    id: "profile-request-id-padded",
    sends: "a request_id of 40 characters that is no UUID",
    change: { request_id: "padded" },
    isObserved: true,
  },
  { id: "profile-request-id-uuid", sends: "a UUID as request_id", change: { request_id: "uuid" } },
  {
    id: "profile-duplicate-fails",
    sends: "a callback that fails a repeated order",
    change: { duplicates: "fail_by_callback" },
    operation: "airtime",
    // Only who sends again after silence repeats an order, which is sold twice without it.
    faults: ["reset-after-accept"],
    isOfWrongOrders: true,
  },
];

export const PROFILE_TRIAL_IDS: readonly string[] = PROFILE_TRIALS.map(({ id }) => id);

/** Returns the condition that a trial of a profile is about: "the gateway sends result_code as text". */
export function describeProfileTrial(fault: string | undefined): string | undefined {
  const trial = PROFILE_TRIALS.find(({ id }) => id === fault);
  return trial && `the gateway sends ${trial.sends}`;
}
