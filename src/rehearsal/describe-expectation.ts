import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Comparison } from "../scenario/comparison.ts";
import { formatKes } from "../domain/kes.ts";
import { formatDuration } from "../domain/time.ts";
import { printCents } from "../scenario/values.ts";
import { describeComparison } from "../scenario/comparison.ts";
import type {
  CallbacksExpected,
  Expectation,
  FindingsExpected,
  ProbeAssertion,
  ProbeSource,
  RequestsExpected,
  WalletExpected,
} from "./rehearsal.ts";

/** What a check is called: by its own name, or as it was written. */
export function describeExpectation(expectation: Expectation): string {
  return expectation.name ?? `${expectation.kind}: ${expectationText(expectation)}`;
}

/** What is expected, in words. */
export function expectationText(expectation: Expectation): string {
  switch (expectation.kind) {
    case "findings":
      return findingsText(expectation);
    case "callbacks":
      return callbacksText(expectation);
    case "requests":
      return requestsText(expectation);
    case "wallet":
      return walletText(expectation);
    case "transactions":
      return join([...expectation.counts.map(({ state, count }) => `${countText(count)} ${state}`), matchText(expectation.match)]);
    case "probe":
      return join([sourceText(expectation.source), expectation.jsonPath?.text, assertionText(expectation.wanted)]);
    case "reconcile":
      return `${sourceText(expectation.source)} against the ledger`;
  }
}

function findingsText({ noneOf, none, some }: FindingsExpected): string {
  const severities = noneOf.map((severity) => `${severity}s`);
  return join([list("no", [...severities, ...none]), list("some", some)]);
}

function callbacksText({ acknowledged, acknowledgedWithin, count, operation }: CallbacksExpected): string {
  return join([
    acknowledged && "all acknowledged",
    acknowledgedWithin !== undefined && `acknowledged within ${formatDuration(acknowledgedWithin)}`,
    count && countText(count),
    operation && `of ${operation}`,
  ]);
}

function requestsText({ count, leastSpacing, noRepeat, match }: RequestsExpected): string {
  return join([
    count && countText(count),
    leastSpacing !== undefined && `at least ${formatDuration(leastSpacing)} apart`,
    noRepeat && "none accepted twice",
    matchText(match),
  ]);
}

function walletText({ spent, available }: WalletExpected): string {
  return join([
    spent && `spent ${describeComparison(spent, printCents)}`,
    available && `available ${describeComparison(available, printCents)}`,
  ]);
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

/** What requests are to be like, in words; nothing for all of them. */
export function matchText({ operation, phoneNumber, amount, senderId, message, statusCode }: RequestMatch): string {
  return [
    operation,
    phoneNumber !== undefined && `to ${phoneNumber}`,
    amount !== undefined && `KES ${formatKes(amount)}`,
    senderId !== undefined && `from ${senderId}`,
    message !== undefined && `with ${JSON.stringify(message)}`,
    statusCode !== undefined && `answered ${statusCode}`,
  ]
    .filter((word) => typeof word === "string")
    .join(" ");
}

export function sourceText(source: ProbeSource): string {
  return source.via === "request" ? `${source.request.method} ${source.request.url}` : source.run.command;
}

function assertionText(wanted: ProbeAssertion): string {
  switch (wanted.is) {
    case "equals":
      return `equals ${JSON.stringify(wanted.value)}`;
    case "matches":
      return `matches ${wanted.pattern}`;
    case "exists":
      return "exists";
    case "missing":
      return "does not exist";
    case "answers":
      return "answers";
    case "changed":
      return `changed by ${printCents(wanted.by)}`;
  }
}
