import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isBeginning, isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { WATCHERS } from "./all-checks.ts";
import type { Check, Observation, Watch, Watcher, WatchSettings } from "./check.ts";
import type { ExchangeReference, Finding } from "./finding.ts";
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
  #found: FindingBuilder[] = [];
  #bySubject = new Map<string, FindingBuilder>();
  #subjects = new Map<string, number>();
  /** Watchers start with the first event that they need, because they would be most of an idle account's memory. */
  #started = new Map<Watcher, Watch>();
  #startedByKind = new Map<AccountEvent["kind"], readonly Watcher[]>();
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
    const before = this.#found.length;
    for (const watcher of this.#watchersOf(event.kind)) this.#run(watcher, event, number);
    return this.#found.length === before ? NONE : this.#found.slice(before).map(buildFinding);
  }

  /** In the order in which they were first seen. */
  list(): Finding[] {
    return this.#found.map(buildFinding);
  }

  /** Returns the findings first seen in a range of event numbers, each with the number of its event. */
  between(after: number, through: number): { readonly number: number; readonly finding: Finding }[] {
    return this.#found
      .filter(({ number }) => number > after && number <= through)
      .map((builder) => ({ number: builder.number, finding: buildFinding(builder) }));
  }

  /** The ids of the running checks. */
  get watched(): string[] {
    const watchers = this.#options.watchers.filter((watcher) => !this.#broken.has(watcher));
    return checksOf({ ...this.#options, watchers }).map(({ id }) => id);
  }

  #startOver(isTrial: boolean): void {
    // In a trial, Kredo decides how many orders come at once.
    this.#settings = isTrial ? {} : this.#options.settings;
    this.#found = [];
    this.#bySubject = new Map();
    this.#subjects = new Map();
    this.#started = new Map();
    this.#startedByKind = new Map();
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

  #watchersOf(kind: AccountEvent["kind"]): readonly Watcher[] {
    const known = this.#startedByKind.get(kind);
    if (known !== undefined) return known;
    const watchers = this.#options.watchers.filter((watcher) => watcher.kinds.includes(kind) && this.#start(watcher));
    this.#startedByKind.set(kind, watchers);
    return watchers;
  }

  #start(watcher: Watcher): boolean {
    if (this.#broken.has(watcher)) return false;
    if (this.#started.has(watcher)) return true;
    try {
      this.#started.set(watcher, watcher.watch(this.#settings));
      return true;
    } catch (fault) {
      this.#switchOff(watcher, fault);
      return false;
    }
  }

  #run(watcher: Watcher, event: AccountEvent, number: number): void {
    try {
      const observations = this.#started.get(watcher)?.(event) ?? [];
      for (const observation of observations) this.#record(watcher, observation, { at: event.at, number });
    } catch (fault) {
      this.#startedByKind = new Map();
      this.#switchOff(watcher, fault);
    }
  }

  #switchOff(watcher: Watcher, fault: unknown): void {
    this.#broken.add(watcher);
    const ids = watcher.checks.map(({ id }) => id).join(", ");
    this.#options.report(new Error(`the checks ${ids} failed and are switched off`, { cause: fault }));
  }

  #record({ checks }: Watcher, { id, subject, seen, exchanges }: Observation, moment: Moment): void {
    const check = checks.find((one) => one.id === id);
    if (check === undefined) throw new Error(`nothing describes the check ${id}`);
    if (this.#options.off?.includes(id) === true) return;
    const builder = this.#builderOf(check, subject, moment);
    builder.seen = seen;
    builder.count += 1;
    builder.lastAt = moment.at;
    for (const exchange of exchanges) addEvidence(builder, exchange);
  }

  #builderOf(check: Check, subject: string, { at, number }: Moment): FindingBuilder {
    const known = this.#bySubject.get(`${check.id} ${subject}`);
    if (known !== undefined) return known;
    const subjects = this.#subjects.get(check.id) ?? 0;
    if (subjects === MOST_SUBJECTS && subject !== OTHERS) return this.#builderOf(check, OTHERS, { at, number });
    const builder = { check, subject, number, seen: "", count: 0, firstAt: at, lastAt: at, exchanges: [] };
    this.#bySubject.set(`${check.id} ${subject}`, builder);
    if (subject !== OTHERS) this.#subjects.set(check.id, subjects + 1);
    this.#found.push(builder);
    return builder;
  }
}

/** Returns the checks of some watchers without those that are off. */
export function checksOf({ watchers, off = [] }: Pick<FindingsOptions, "watchers" | "off">): Check[] {
  return watchers.flatMap(({ checks }) => checks).filter(({ id }) => !off.includes(id));
}

interface Moment {
  readonly at: Instant;
  readonly number: number;
}

interface FindingBuilder {
  readonly check: Check;
  readonly subject: string;
  /** The number of the event at which it was first seen. */
  readonly number: number;
  readonly firstAt: Instant;
  readonly exchanges: ExchangeReference[];
  seen: string;
  count: number;
  lastAt: Instant;
}

const NONE: readonly Finding[] = [];
const OTHERS = `all others, past the first ${MOST_SUBJECTS}`;

function buildFinding({ check, number: _number, exchanges, ...finding }: FindingBuilder): Finding {
  return { ...check, ...finding, exchanges: [...exchanges] };
}

/** The first exchanges show how a problem began, the latest ones how it continues. */
const FIRST = 3;
const MOST_EXCHANGES = 20;

/** Adds an exchange that proves a finding, unless it is known. Drops the oldest but the first ones. */
function addEvidence({ exchanges }: FindingBuilder, exchange: ExchangeReference): void {
  if (exchanges.some((other) => isSame(other, exchange))) return;
  exchanges.push(exchange);
  if (exchanges.length > MOST_EXCHANGES) exchanges.splice(FIRST, 1);
}

function isSame(one: ExchangeReference, other: ExchangeReference): boolean {
  if (one.requestId !== other.requestId || one.kind !== other.kind) return false;
  return one.kind === "request" || (other.kind === "callback" && one.attempt === other.attempt);
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
