import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Comparison } from "../domain/scenario.ts";
import { formatKes } from "../domain/kes.ts";
import { formatDuration } from "../domain/time.ts";
import { printCents, sayComparison } from "../scenario/say-values.ts";
import type {
  CallbacksExpected,
  Expectation,
  FindingsExpected,
  ProbeWanted,
  Question,
  RequestsExpected,
  WalletExpected,
} from "./rehearsal.ts";

/** What a check is called: by its own name, or as it was written. */
export function describeExpectation(expectation: Expectation): string {
  return expectation.name ?? `${expectation.kind}: ${sayExpectation(expectation)}`;
}

/** What is expected, in words. */
export function sayExpectation(expectation: Expectation): string {
  switch (expectation.kind) {
    case "findings":
      return sayFindings(expectation);
    case "callbacks":
      return sayCallbacks(expectation);
    case "requests":
      return sayRequests(expectation);
    case "wallet":
      return sayWallet(expectation);
    case "transactions":
      return join([...expectation.counts.map(({ state, count }) => `${sayCountOf(count)} ${state}`), sayMatch(expectation.match)]);
    case "probe":
      return join([sayQuestion(expectation.question), expectation.jsonPath?.text, sayWanted(expectation.wanted)]);
    case "reconcile":
      return `${sayQuestion(expectation.question)} against the ledger`;
  }
}

function sayFindings({ noneOf, none, some }: FindingsExpected): string {
  const severities = noneOf.map((severity) => `${severity}s`);
  return join([list("no", [...severities, ...none]), list("some", some)]);
}

function sayCallbacks({ acknowledged, acknowledgedWithin, count, operation }: CallbacksExpected): string {
  return join([
    acknowledged && "all acknowledged",
    acknowledgedWithin !== undefined && `acknowledged within ${formatDuration(acknowledgedWithin)}`,
    count && sayCountOf(count),
    operation && `of ${operation}`,
  ]);
}

function sayRequests({ count, leastSpacing, noRepeat, match }: RequestsExpected): string {
  return join([
    count && sayCountOf(count),
    leastSpacing !== undefined && `at least ${formatDuration(leastSpacing)} apart`,
    noRepeat && "none accepted twice",
    sayMatch(match),
  ]);
}

function sayWallet({ spent, available }: WalletExpected): string {
  return join([spent && `spent ${sayComparison(spent, printCents)}`, available && `available ${sayComparison(available, printCents)}`]);
}

function join(words: readonly (string | false | undefined)[]): string {
  return words.filter((word) => typeof word === "string" && word !== "").join(", ");
}

function list(word: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${word} ${names.join(" or ")}`;
}

export function sayCountOf(count: Comparison): string {
  return sayComparison(count, String);
}

/** What requests are to be like, in words; nothing for all of them. */
export function sayMatch({ operation, phoneNumber, amount, senderId, message, statusCode }: RequestMatch): string {
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

export function sayQuestion(question: Question): string {
  return question.via === "request" ? `${question.ask.method} ${question.ask.url}` : question.run.command;
}

function sayWanted(wanted: ProbeWanted): string {
  switch (wanted.is) {
    case "equal":
      return `equals ${JSON.stringify(wanted.value)}`;
    case "matching":
      return `matches ${wanted.pattern}`;
    case "there":
      return "exists";
    case "absent":
      return "does not exist";
    case "answered":
      return "answers";
  }
}
