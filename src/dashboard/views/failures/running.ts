import type { AccountState } from "../../../gateway/account/state.ts";
import { CARRIERS } from "../../../gateway/domain/carrier.ts";
import { formatKes, NO_MONEY, parseKes } from "../../../gateway/domain/kes.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import type { RunningScenario } from "../../../gateway/scenario/running-scenario.ts";
import { INITIAL_STATE } from "../../../gateway/scenario/rule-request.ts";
import { type CountCondition, isCounting } from "../../../gateway/scenario/matchers/counters.ts";
import { firstMoment, nextMoment } from "../../../gateway/scenario/step-moments.ts";
import type { WrittenAction } from "../../../gateway/scenario/timeline.ts";
import { Cursor } from "../../live/row-reading.ts";
import type { Row } from "../../live/account-reading.ts";

/** A scenario as it runs now. */
export interface Running {
  readonly name: string;
  readonly description: string;
  readonly since: Instant;
  /** The named state it is in, unless it is still in the first one. */
  readonly state?: string;
  readonly rules: readonly RunningRule[];
  readonly steps: readonly RunningStep[];
}

export interface RunningRule {
  readonly name: string;
  readonly isOn: boolean;
  /** Set if the rule counts. */
  readonly counted?: Counted;
}

export interface Counted {
  readonly per: NonNullable<CountCondition["per"]>;
  readonly total: number;
  /** The count of each subject, the most recent first. Empty if all subjects share one count. */
  readonly each: readonly (readonly [subject: string, count: number])[];
}

export interface RunningStep {
  readonly at: Instant;
  readonly text: string;
  readonly isDone: boolean;
}

/** Returns the active scenarios in the order in which they are evaluated. */
export function runningScenarios(state: Pick<AccountState, "scenarios" | "counters" | "stepped">): Running[] {
  return state.scenarios.map((active) => running(active, state));
}

function running(active: RunningScenario, { counters, stepped }: Pick<AccountState, "counters" | "stepped">): Running {
  const { scenario, since, off, state = INITIAL_STATE } = active;
  return {
    name: scenario.name,
    description: scenario.description?.trim() ?? "",
    since,
    ...(state !== INITIAL_STATE && { state }),
    rules: (scenario.rules ?? []).map((rule) => ({
      name: rule.name,
      isOn: !off.includes(rule.name),
      ...countedBy(rule.when, `${scenario.name}/${rule.name}`, counters),
    })),
    steps: (scenario.timeline ?? []).map((step, index) => {
      const last = stepped.find((done) => done.scenario === scenario.name && done.step === index)?.at;
      const next = nextMoment(step, since, last);
      return { at: next ?? firstMoment(step, since), text: describeAction(step.do), isDone: next === undefined };
    }),
  };
}

function countedBy(
  when: CountCondition = {},
  label: string,
  counters: AccountState["counters"],
): Pick<RunningRule, "counted"> {
  if (!isCounting(when)) return {};
  const { per = "account" } = when;
  if (per === "account") return { counted: { per, total: counters.get(label) ?? 0, each: [] } };
  const own = [...counters].filter(([counter]) => counter.startsWith(`${label}/`));
  const each = own.map(([counter, times]) => [counter.slice(label.length + 1), times] as const).toReversed();
  return { counted: { per, total: each.reduce((sum, [, times]) => sum + times, 0), each } };
}

/** Describes what a step of a timeline does. */
export function describeAction({
  wallet,
  credentials,
  sender_id,
  carrier,
  rate_limit,
  rule,
  enter,
}: WrittenAction): string {
  const sentences = [
    wallet && describeWallet(wallet),
    credentials && (credentials === "revoked" ? "The credentials are revoked" : "The credentials work again"),
    ...Object.entries(sender_id ?? {}).map(
      ([id, is]) => `The sender ID ${id} ${is === "revoked" ? "is revoked" : "works again"}`,
    ),
    ...CARRIERS.map(
      (name) => carrier?.[name] && `${capital(name)} ${carrier[name] === "down" ? "goes down" : "is up again"}`,
    ),
    rate_limit && describeLimit(rate_limit),
    ...Object.entries(rule ?? {}).map(([name, is]) => `The rule “${name}” is switched ${is}`),
    enter && `The scenario enters the state “${enter}”`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(". ");
}

function describeWallet({ balance, add, subtract }: NonNullable<WrittenAction["wallet"]>): string | undefined {
  if (balance !== undefined) return `The wallet is set to KES ${shillings(balance)}`;
  if (add !== undefined) return `KES ${shillings(add)} is added to the wallet`;
  return subtract === undefined ? undefined : `KES ${shillings(subtract)} is taken from the wallet`;
}

function shillings(written: string | number): string {
  return formatKes(parseKes(String(written)) ?? NO_MONEY);
}

function describeLimit(limit: NonNullable<WrittenAction["rate_limit"]>): string {
  return limit === "none" ? "No rate limit" : `At most ${limit.requests} requests in ${limit.per ?? "1s"}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Counts how often each rule has fired since its scenario began. Visits each row once. */
export class FiredTally {
  #counts = new Map<string, number>();
  #cursor = new Cursor<Row>();
  #scenarios: readonly RunningScenario[] = [];

  /** Counts the new rows. Starts over if the scenarios have changed or the rows were replaced. */
  update(rows: readonly Row[], scenarios: readonly RunningScenario[]): void {
    if (scenarios !== this.#scenarios) this.#cursor = new Cursor();
    this.#scenarios = scenarios;
    const { goesOn, added } = this.#cursor.read(rows);
    if (!goesOn) this.#counts.clear();
    const begun = new Map(scenarios.map(({ scenario, since }) => [scenario.name, since]));
    for (const { request } of added) {
      for (const { scenario, rule } of request.rules?.fired ?? [])
        if (request.at >= (begun.get(scenario) ?? Infinity)) this.#count(`${scenario}\n${rule}`);
    }
  }

  of(scenario: string, rule: string): number {
    return this.#counts.get(`${scenario}\n${rule}`) ?? 0;
  }

  #count(rule: string): void {
    this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }
}
