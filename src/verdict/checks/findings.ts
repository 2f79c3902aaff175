import { isBeginning } from "../../gateway/account/event-guards.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { Detector, Observation, SharedState, Watch, WatchSettings } from "./check.ts";
import type { Exchange, Finding } from "./finding.ts";
import { SentOrders } from "./sent-orders.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import { DETECTORS } from "./all-checks.ts";

export interface FindingsOptions {
  readonly detectors: readonly Detector[];
  readonly settings: WatchSettings;
  /** Called when a detector throws. That detector is then switched off. */
  readonly report: (fault: unknown) => void;
}

/** The most subjects that one detector reports separately. All others share one more finding. */
export const MOST_SUBJECTS = 100;

/** Runs all detectors over one account's journal in bounded space, and collects their findings. */
export class Findings {
  readonly #options: FindingsOptions;
  readonly #broken = new Set<Detector>();
  #found: FindingBuilder[] = [];
  #active: readonly ActiveDetector[] = [];
  #activeByKind = new Map<AccountEvent["kind"], readonly ActiveDetector[]>();
  /**
   * The opening event of an idle account. Its detectors start only with the first event that one of them needs, because they would be most
   * of the account's memory.
   */
  #idleSince: { readonly event: AccountEvent; readonly number: number } | undefined;

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** Processes the next event and returns the new findings. `opened` and `snapshot` start over. */
  take(event: AccountEvent, number: number): readonly Finding[] {
    if (event.kind === "opened" && !this.#isAskedFor(event)) return this.#stayIdle(event, number);
    if (isBeginning(event)) this.#startOver();
    if (this.#idleSince !== undefined && !this.#isAskedFor(event)) return NONE;
    const before = this.#found.length;
    this.#wake();
    for (const detector of this.#activeFor(event)) this.#run(detector, event, number);
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

  /** The ids of the running detectors. */
  get watched(): string[] {
    return this.#options.detectors.filter((detector) => !this.#broken.has(detector)).map(({ id }) => id);
  }

  #stayIdle(event: AccountEvent, number: number): readonly Finding[] {
    this.#found = [];
    this.#active = [];
    this.#activeByKind = new Map();
    this.#idleSince = { event, number };
    return NONE;
  }

  #isAskedFor({ kind }: AccountEvent): boolean {
    return this.#options.detectors.some(({ kinds }) => kinds === undefined || kinds.includes(kind));
  }

  #wake(): void {
    if (this.#idleSince === undefined) return;
    const { event, number } = this.#idleSince;
    this.#startOver();
    for (const detector of this.#active) this.#run(detector, event, number);
  }

  #startOver(): void {
    this.#idleSince = undefined;
    this.#found = [];
    const shared: SharedState = { orders: new SentOrders() };
    this.#active = this.#options.detectors.flatMap((detector) => this.#start(detector, shared));
    this.#activeByKind = new Map();
  }

  #start(detector: Detector, shared: SharedState): ActiveDetector[] {
    if (this.#broken.has(detector)) return [];
    try {
      return [{ detector, watch: detector.watch(this.#options.settings, shared), bySubject: new Map() }];
    } catch (fault) {
      this.#switchOff(detector, fault);
      return [];
    }
  }

  #activeFor(event: AccountEvent): readonly ActiveDetector[] {
    const known = this.#activeByKind.get(event.kind);
    if (known !== undefined) return known;
    const asked = this.#active.filter(
      ({ detector: { kinds } }) => kinds === undefined || isBeginning(event) || kinds.includes(event.kind),
    );
    this.#activeByKind.set(event.kind, asked);
    return asked;
  }

  #run(active: ActiveDetector, event: AccountEvent, number: number): void {
    try {
      for (const observation of active.watch(event)) this.#record(active, observation, { at: event.at, number });
    } catch (fault) {
      this.#active = this.#active.filter((other) => other !== active);
      this.#activeByKind = new Map();
      this.#switchOff(active.detector, fault);
    }
  }

  #switchOff(detector: Detector, fault: unknown): void {
    this.#broken.add(detector);
    this.#options.report(new Error(`the detector ${detector.id} failed and is switched off`, { cause: fault }));
  }

  #record({ detector, bySubject }: ActiveDetector, { subject, seen, exchanges }: Observation, moment: Moment): void {
    const named = bySubject.has(subject) || bySubject.size < MOST_SUBJECTS ? subject : OTHERS;
    const builder = bySubject.get(named) ?? this.#add(detector, named, moment);
    bySubject.set(named, builder);
    builder.seen = seen;
    builder.count += 1;
    builder.lastAt = moment.at;
    for (const exchange of exchanges) builder.evidence.add(exchange);
  }

  #add(detector: Detector, subject: string, { at, number }: Moment): FindingBuilder {
    const builder = {
      detector,
      subject,
      number,
      seen: "",
      count: 0,
      firstAt: at,
      lastAt: at,
      evidence: new Evidence(),
    };
    this.#found.push(builder);
    return builder;
  }
}

interface ActiveDetector {
  readonly detector: Detector;
  readonly watch: Watch;
  readonly bySubject: Map<string, FindingBuilder>;
}

interface Moment {
  readonly at: Instant;
  readonly number: number;
}

interface FindingBuilder {
  readonly detector: Detector;
  readonly subject: string;
  /** The number of the event at which it was first seen. */
  readonly number: number;
  readonly firstAt: Instant;
  readonly evidence: Evidence;
  seen: string;
  count: number;
  lastAt: Instant;
}

const NONE: readonly Finding[] = [];
const OTHERS = `all others, past the first ${MOST_SUBJECTS}`;

function buildFinding({ detector, subject, seen, count, firstAt, lastAt, evidence }: FindingBuilder): Finding {
  const { id, severity, title, why, repair, assumes } = detector;
  return {
    id,
    subject,
    severity,
    title,
    seen,
    why,
    repair,
    assumes,
    count,
    firstAt,
    lastAt,
    exchanges: evidence.list(),
  };
}

/** The first exchanges show how a problem began, the latest ones how it continues. */
const FIRST = 3;
const LAST = 17;

/** The exchanges that prove a finding: the first and the last ones, without duplicates. */
class Evidence {
  readonly #first: Exchange[] = [];
  readonly #last: Exchange[] = [];

  add(exchange: Exchange): void {
    if (this.#has(exchange)) return;
    if (this.#first.length < FIRST) this.#first.push(exchange);
    else this.#last.push(exchange);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** Oldest first. */
  list(): Exchange[] {
    return [...this.#first, ...this.#last];
  }

  #has(exchange: Exchange): boolean {
    return this.#first.some((other) => isSame(other, exchange)) || this.#last.some((other) => isSame(other, exchange));
  }
}

function isSame(one: Exchange, other: Exchange): boolean {
  if (one.requestId !== other.requestId || one.kind !== other.kind) return false;
  return one.kind === "request" || (other.kind === "callback" && one.attempt === other.attempt);
}

interface FindingOptions {
  readonly settings?: WatchSettings;
  /** The ids of detectors to leave out. */
  readonly off?: readonly string[];
  /** Called when a detector throws. That detector is then switched off. */
  readonly report: (fault: unknown) => void;
}

/** Returns the findings in a journal. They are the same as those found live, except for events that were evicted. */
export function findInJournal(kept: JournalSlice, { settings = {}, off = [], report }: FindingOptions): Finding[] {
  const findings = new Findings({ detectors: DETECTORS.filter(({ id }) => !off.includes(id)), settings, report });
  for (const { event, number } of numbered(kept)) findings.take(event, number);
  return findings.list();
}
