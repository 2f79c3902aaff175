import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isBeginning, isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { WATCHERS } from "./all-checks.ts";
import type { Observation, Watch, Watcher, WatchSettings } from "./check.ts";
import type { Check, ExchangeReference, Finding } from "./finding.ts";
import { RecentMap } from "./recent-map.ts";

export interface FindingsOptions {
  readonly watchers: readonly Watcher[];
  readonly settings: WatchSettings;
  /** The ids of checks to leave out. */
  readonly off?: readonly string[];
  /** Called when a watcher throws. It is then switched off, with all its checks. */
  readonly report: (fault: unknown) => void;
}

/** The most subjects that one check reports separately. All others share one more finding. */
export const MOST_SUBJECTS = 100;

/** Runs all checks over one account's journal in bounded space, and collects their findings. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #broken = new Set<Watcher>();
  #settings: WatchSettings;
  /** By check and subject, in the order in which they were first seen. */
  #found = new Map<string, FoundProblem>();
  /** Watchers start with the first event that they need, because they would be most of an idle account's memory. */
  #started = new Map<Watcher, Watch>();
  /** The requests that Kredo's own commands sent. Nothing about them accuses anybody. */
  #own: RecentMap<string, true> | undefined;

  constructor(options: FindingsOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** Processes the next event and returns the new findings. `opened` and `snapshot` start over. */
  take(event: AccountEvent, number: number): readonly Finding[] {
    if (isBeginning(event)) this.#startOver(event.kind === "opened" && event.rehearsal !== undefined);
    if (this.#isOwn(event)) return NONE;
    const before = this.#found.size;
    for (const watcher of this.#options.watchers)
      if (watcher.kinds.includes(event.kind) && !this.#broken.has(watcher)) this.#run(watcher, event, number);
    return this.#found.size === before ? NONE : this.list().slice(before);
  }

  list(): Finding[] {
    return Array.from(this.#found.values(), findingOf);
  }

  /** Returns the findings first seen in a range of event numbers, each with the number of its event. */
  between(after: number, through: number): { readonly number: number; readonly finding: Finding }[] {
    const found = [...this.#found.values()].filter(({ number }) => number > after && number <= through);
    return found.map((one) => ({ number: one.number, finding: findingOf(one) }));
  }

  get watched(): string[] {
    const { watchers, off = [] } = this.#options;
    const running = watchers.filter((watcher) => !this.#broken.has(watcher)).flatMap(({ checks }) => checks);
    return running.map(({ id }) => id).filter((id) => !off.includes(id));
  }

  #startOver(isTrial: boolean): void {
    // In a trial, Kredo decides how many orders come at once.
    this.#settings = isTrial ? {} : this.#options.settings;
    this.#found = new Map();
    this.#started = new Map();
    this.#own = undefined;
  }

  #isOwn(event: AccountEvent): boolean {
    if (!("requestId" in event)) return false;
    if (!isRequestEvent(event)) return this.#own?.has(event.requestId) === true;
    if (event.traits?.isOfKredo !== true) return false;
    this.#own ??= new RecentMap();
    this.#own.set(event.requestId, true);
    return true;
  }

  #run(watcher: Watcher, event: AccountEvent, number: number): void {
    try {
      const watch = this.#started.get(watcher) ?? watcher.watch(this.#settings);
      this.#started.set(watcher, watch);
      for (const observation of watch(event)) this.#record(watcher, observation, { at: event.at, number });
    } catch (fault) {
      this.#broken.add(watcher);
      const ids = watcher.checks.map(({ id }) => id).join(", ");
      this.#options.report(new Error(`the checks ${ids} failed and are switched off`, { cause: fault }));
    }
  }

  #record({ checks }: Watcher, { id, subject, seen, exchanges, severity }: Observation, moment: Moment): void {
    const check = checks.find((one) => one.id === id);
    if (check === undefined) throw new Error(`nothing describes the check ${id}`);
    if (this.#options.off?.includes(id) === true) return;
    const { finding } = this.#findingOn(check, subject, moment);
    finding.seen = seen;
    finding.severity = severity ?? finding.severity;
    finding.count += 1;
    finding.lastAt = moment.at;
    for (const exchange of exchanges) addEvidence(finding.exchanges, exchange);
  }

  #findingOn(check: Check, subject: string, { at, number }: Moment): FoundProblem {
    const known = this.#found.get(`${check.id} ${subject}`) ?? this.#found.get(`${check.id} ${OTHERS}`);
    if (known !== undefined) return known;
    const others = [...this.#found.values()].filter(({ finding: { id } }) => id === check.id);
    const named = others.length < MOST_SUBJECTS ? subject : OTHERS;
    const finding = { ...check, subject: named, seen: "", count: 0, firstAt: at, lastAt: at, exchanges: [] };
    this.#found.set(`${check.id} ${named}`, { number, finding });
    return { number, finding };
  }
}

interface Moment {
  readonly at: Instant;
  readonly number: number;
}

/** A finding that still grows, with the number of the event at which it was first seen. */
interface FoundProblem {
  readonly number: number;
  readonly finding: { -readonly [Key in keyof Finding]: Finding[Key] } & { readonly exchanges: ExchangeReference[] };
}

const NONE: readonly Finding[] = [];
const OTHERS = `all others, past the first ${MOST_SUBJECTS}`;

function findingOf({ finding }: FoundProblem): Finding {
  return { ...finding, exchanges: [...finding.exchanges] };
}

/** The first exchanges show how a problem began, the latest ones how it continues. */
const FIRST = 3;
const MOST_EXCHANGES = 20;

/** Adds an exchange that proves a finding, unless it is known. Drops the oldest but the first ones. */
function addEvidence(exchanges: ExchangeReference[], exchange: ExchangeReference): void {
  if (exchanges.some((other) => isSame(other, exchange))) return;
  exchanges.push(exchange);
  if (exchanges.length > MOST_EXCHANGES) exchanges.splice(FIRST, 1);
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
