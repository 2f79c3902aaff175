import type { AccountEvent, Snapshot } from "../../gateway/account/account-event.ts";
import { isBeginning, isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Opened, RequestEvent } from "../../gateway/account/events.ts";
import { isOfKredo } from "../../gateway/account/readings/answer.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { WATCHERS } from "./all-checks.ts";
import type { Observation, Watch, Watcher, WatchSettings } from "./check.ts";
import type { Check, ExchangeReference, Finding } from "./finding.ts";

export interface FindingsOptions {
  readonly watchers: readonly Watcher[];
  readonly settings: WatchSettings;
  /** The ids of checks to leave out. */
  readonly off?: readonly string[];
  /** Called when a watcher throws. It is then switched off, with all its checks. */
  readonly report: (fault: unknown) => void;
}

/** The most subjects that one check reports separately. All others share one more finding. */
export const MAX_SUBJECTS = 100;

/** What came after so many requests is remembered, and after at least half as many of the latest. */
const REMEMBERED = 10_000;

/** Runs all checks over one account's journal in bounded space, and collects their findings. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #broken = new Set<Watcher>();
  #settings: WatchSettings;
  /** By check and subject, in the order in which they were first seen. */
  #found = new Map<string, FoundProblem>();
  /** Watchers and what they share start with the first event that needs them, because they would be most of an idle account's memory. */
  #started = new Map<Watcher, Watch>();
  #aftermaths: Aftermaths | undefined;
  /** The requests that Kredo's own commands sent. Nothing about them accuses anybody. */
  #own: RecentMap<string, true> | undefined;
  #hasNew = false;

  constructor(options: FindingsOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** Processes the next event and returns the new findings. `opened` and `snapshot` start over. */
  take(event: AccountEvent, number: number): readonly Finding[] {
    if (isBeginning(event)) this.#startOver(event);
    if (this.#isOwn(event)) return NONE;
    this.#hasNew = false;
    if (event.kind !== "opened") (this.#aftermaths ??= new Aftermaths(REMEMBERED)).take(event);
    for (const watcher of this.#options.watchers)
      if (watcher.kinds.includes(event.kind) && !this.#broken.has(watcher)) this.#run(watcher, event, number);
    return this.#hasNew ? this.between(number - 1, number).map(({ finding }) => finding) : NONE;
  }

  list(): Finding[] {
    return Array.from(this.#found.values(), findingOf).filter(({ count }) => count > 0);
  }

  /** Returns the findings first seen in a range of event numbers, or taken back there (count 0), each with the number of its event. */
  between(after: number, through: number): { readonly number: number; readonly finding: Finding }[] {
    const found = [...this.#found.values()].filter(({ number }) => number > after && number <= through);
    return found.map((one) => ({ number: one.number, finding: findingOf(one) }));
  }

  get watched(): string[] {
    const { watchers, off = [] } = this.#options;
    const running = watchers.filter((watcher) => !this.#broken.has(watcher)).flatMap(({ checks }) => checks);
    return running.map(({ id }) => id).filter((id) => !off.includes(id));
  }

  #startOver(event: Opened | Snapshot): void {
    // In a trial, Kredo decides how many orders come at once.
    this.#settings = event.kind === "opened" && event.rehearsal !== undefined ? {} : this.#options.settings;
    this.#found = new Map();
    this.#started = new Map();
    this.#aftermaths = undefined;
    this.#own = undefined;
    if (event.kind === "snapshot") for (const { accepted } of event.state.transactions) this.#isOwn(accepted);
  }

  #isOwn(event: AccountEvent): boolean {
    if (!("requestId" in event)) return false;
    if (!isRequestEvent(event)) return this.#own?.has(event.requestId) === true;
    if (!isOfKredo(event)) return false;
    this.#own ??= new RecentMap();
    this.#own.set(event.requestId, true);
    return true;
  }

  #run(watcher: Watcher, event: AccountEvent, number: number): void {
    try {
      const watch =
        this.#started.get(watcher) ?? watcher.watch(this.#settings, this.#aftermaths ?? new Aftermaths(REMEMBERED));
      this.#started.set(watcher, watch);
      for (const observation of watch(event)) this.#record(watcher, observation, { at: event.at, number });
    } catch (fault) {
      this.#broken.add(watcher);
      const ids = watcher.checks.map(({ id }) => id).join(", ");
      this.#options.report(new Error(`the checks ${ids} failed and are switched off`, { cause: fault }));
    }
  }

  #record({ checks }: Watcher, observation: Observation, moment: Moment): void {
    const { id, subject, replaces } = observation;
    const check = checks.find((one) => one.id === id);
    if (check === undefined) throw new Error(`nothing describes the check ${id}`);
    if (replaces !== undefined) this.#takeBack(replaces, moment);
    if (this.#options.off?.includes(id) === true) return;
    const problem = this.#problemOf(check, subject, moment);
    problem.count += 1;
    problem.lastAt = moment.at;
    problem.seen.push(observation);
    if (problem.seen.length > MAX_EXCHANGES) problem.seen.splice(FIRST, 1);
  }

  #takeBack(observation: Observation, { number }: Moment): void {
    const problem = this.#known(observation);
    if (problem === undefined || problem.count === 0) return;
    problem.count -= 1;
    problem.seen = problem.seen.filter((one) => one !== observation);
    if (problem.count === 0) problem.number = number;
  }

  #known({ id, subject }: Pick<Observation, "id" | "subject">): FoundProblem | undefined {
    return this.#found.get(`${id} ${subject}`) ?? this.#found.get(`${id} ${OTHERS}`);
  }

  #problemOf(check: Check, subject: string, { at, number }: Moment): FoundProblem {
    const known = this.#known({ id: check.id, subject });
    if (known !== undefined && known.count > 0) return known;
    const others = [...this.#found.values()].filter((one) => one.check.id === check.id);
    const named = known?.subject ?? (others.length < MAX_SUBJECTS ? subject : OTHERS);
    const problem = { number, check, subject: named, count: 0, firstAt: at, lastAt: at, seen: [] };
    this.#found.delete(`${check.id} ${named}`);
    this.#found.set(`${check.id} ${named}`, problem);
    this.#hasNew = true;
    return problem;
  }
}

interface Moment {
  readonly at: Instant;
  readonly number: number;
}

/** A finding that still grows, or whose observations were all taken back. */
interface FoundProblem extends Pick<Finding, "subject" | "firstAt"> {
  /** The number of the event at which it was first seen, or the last of it taken back. */
  number: number;
  readonly check: Check;
  count: number;
  lastAt: Instant;
  /** The first show how a problem began, the latest ones how it continues. */
  seen: Observation[];
}

const NONE: readonly Finding[] = [];
const OTHERS = `all others, past the first ${MAX_SUBJECTS}`;

function findingOf({ check, subject, count, firstAt, lastAt, seen }: FoundProblem): Finding {
  const exchanges = exchangesOf(seen);
  return { ...check, subject, seen: seen.at(-1)?.seen ?? "", count, firstAt, lastAt, exchanges };
}

const FIRST = 3;
/** The most exchanges that prove a finding. */
export const MAX_EXCHANGES = 20;

/** Returns the exchanges that prove a finding, each once: the first ones and the latest. */
function exchangesOf(seen: readonly Observation[]): ExchangeReference[] {
  const proofs: ExchangeReference[] = [];
  for (const exchange of seen.flatMap(({ exchanges }) => exchanges)) {
    if (proofs.some((other) => isSame(other, exchange))) continue;
    proofs.push(exchange);
    if (proofs.length > MAX_EXCHANGES) proofs.splice(FIRST, 1);
  }
  return proofs;
}

function isSame(one: ExchangeReference, other: ExchangeReference): boolean {
  return one.requestId === other.requestId && one.kind === other.kind && one.attempt === other.attempt;
}

/** Returns the findings about one order, as if no other had been placed. Requests for account details name no order, so they count for each. */
export function findOfOrder(
  { first, events }: JournalSlice,
  requests: readonly RequestEvent[],
  report: FindingsOptions["report"],
): Finding[] {
  const own = new Set(requests.map(({ requestId }) => requestId));
  const ofOrder = events.filter(
    (event) =>
      !("requestId" in event) || own.has(event.requestId) || (isRequestEvent(event) && isDetailsRequest(event)),
  );
  const findings = findInJournal({ first, events: ofOrder }, { report });
  return findings.filter(({ exchanges }) => exchanges.some(({ requestId }) => own.has(requestId)));
}

/** Returns the findings in a journal. They are the same as those found live, except for events that were evicted. */
export function findInJournal(
  kept: JournalSlice,
  options: Pick<FindingsOptions, "report"> & Partial<FindingsOptions>,
): Finding[] {
  const findings = new Findings({ watchers: WATCHERS, settings: {}, ...options });
  for (const { event, number } of numbered(kept)) findings.take(event, number);
  return findings.list();
}
