import type { RequestFilter } from "../../gateway/account/readings/match-requests.ts";
import { describeSource } from "../application/request.ts";
import { formatKes } from "../../gateway/domain/kes.ts";
import { formatDuration } from "../../gateway/domain/time.ts";
import { type Comparison, describeComparison } from "../../gateway/scenario/comparison.ts";
import { printCents } from "../../gateway/scenario/values.ts";
import {
  type CallbacksCheck,
  type Expectation,
  type FindingsCheck,
  type ProbeCheck,
  type RequestsCheck,
  TRANSACTION_STATES,
  type TransactionsCheck,
  type WalletCheck,
} from "./check-schema.ts";

/** Returns a check's name, or a description of it if it has none. */
export function describeExpectation(expectation: Expectation): string {
  const [kind] = Object.keys(expectation);
  return expectation.name ?? `${kind}: ${expectationText(expectation)}`;
}

/** Describes what is expected. */
export function expectationText({
  findings,
  callbacks,
  requests,
  wallet,
  transactions,
  probe,
  reconcile,
}: Expectation): string {
  return join([
    findings && findingsText(findings),
    callbacks && callbacksText(callbacks),
    requests && requestsText(requests),
    wallet && walletText(wallet),
    transactions && transactionsText(transactions),
    probe && join([describeSource(probe), probe.json_path?.text, conditionText(probe)]),
    reconcile && `${describeSource(reconcile)} against the ledger`,
  ]);
}

function findingsText({ none_of = [], none = [], some = [] }: FindingsCheck): string {
  const severities = none_of.map((severity) => `${severity}s`);
  return join([list("no", [...severities, ...none]), list("some", some)]);
}

function callbacksText({ acknowledged, acknowledged_within, count, operation }: CallbacksCheck): string {
  return join([
    acknowledged && "all acknowledged",
    acknowledged_within !== undefined && `acknowledged within ${formatDuration(acknowledged_within)}`,
    count && countText(count),
    operation && `of ${operation}`,
  ]);
}

function requestsText({ count, spacing, no_repeat, match }: RequestsCheck): string {
  return join([
    count && countText(count),
    spacing && `at least ${formatDuration(spacing.min)} apart`,
    no_repeat && "none accepted twice",
    matchText(match),
  ]);
}

function walletText({ spent, available }: WalletCheck): string {
  return join([
    spent && `spent ${describeComparison(spent, printCents)}`,
    available && `available ${describeComparison(available, printCents)}`,
  ]);
}

function transactionsText({ match, ...counts }: TransactionsCheck): string {
  const states = TRANSACTION_STATES.map((state) => counts[state] && `${countText(counts[state])} ${state}`);
  return join([...states, matchText(match)]);
}

function conditionText(probe: ProbeCheck): string {
  if (probe.matches !== undefined) return `matches ${probe.matches}`;
  if (probe.exists !== undefined) return probe.exists ? "exists" : "does not exist";
  if (probe.changed_by !== undefined) return `changed by ${printCents(probe.changed_by)}`;
  return "equals" in probe ? `equals ${JSON.stringify(probe.equals)}` : "answers";
}

function join(words: readonly (string | false | undefined)[]): string {
  return words.filter((word) => typeof word === "string" && word !== "").join(", ");
}

function list(word: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${word} ${names.join(" or ")}`;
}

export function countText(count: Comparison): string {
  return describeComparison(count, String);
}

/** Describes which requests match; empty for all of them. */
export function matchText({ operation, phone_number, amount, sender_id, message, status_code }: RequestFilter): string {
  return [
    operation,
    phone_number !== undefined && `to ${phone_number}`,
    amount !== undefined && `KES ${formatKes(amount)}`,
    sender_id !== undefined && `from ${sender_id}`,
    message !== undefined && `with ${JSON.stringify(message)}`,
    status_code !== undefined && `answered ${status_code}`,
  ]
    .filter((word) => typeof word === "string")
    .join(" ");
}
