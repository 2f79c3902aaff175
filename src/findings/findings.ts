import { type AccountEvent, isBeginning } from "../account/events.ts";
import type { Instant } from "../domain/time.ts";
import type { Detector, Shared, Sighting, Watch, WatchSettings } from "./detector.ts";
import { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { SentOrders } from "./sent-orders.ts";

export interface Watching {
  readonly detectors: readonly Detector[];
  readonly settings: WatchSettings;
  /** Told of a detector that threw; it watches no more. */
  readonly report: (fault: unknown) => void;
}

/** Subjects that one detector has findings of; what it sees of any others is one finding more. */
export const MOST_SUBJECTS = 100;

/** All detectors over the journal of one account, in bounded space: what they saw so far. */
export class Findings {
  readonly #watching: Watching;
  readonly #broken = new Set<Detector>();
  #noticed: Noticed[] = [];
  #lookouts: readonly Lookout[] = [];
  #byKind = new Map<AccountEvent["kind"], readonly Lookout[]>();
  /** What came before the first event that a detector asks for: an idle account has no detectors, which would be most of its memory. */
  #opening: { readonly event: AccountEvent; readonly number: number } | undefined;

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** Takes the next event, which has this number; answers the findings that are new with it. A beginning forgets all others. */
  take(event: AccountEvent, number: number): readonly Finding[] {
    if (event.kind === "opened" && !this.#isAskedFor(event)) return this.#wait(event, number);
    if (isBeginning(event)) this.#startOver();
    if (this.#opening !== undefined && !this.#isAskedFor(event)) return NONE;
    const before = this.#noticed.length;
    this.#endWait();
    for (const lookout of this.#lookoutsFor(event)) this.#look(lookout, event, number);
    return this.#noticed.length === before ? NONE : this.#noticed.slice(before).map(findingOf);
  }

  /** In the order in which they were first seen. */
  list(): Finding[] {
    return this.#noticed.map(findingOf);
  }

  /** Those that were first seen behind the event of one number, up to that of another, each with the number of its event. */
  between(after: number, through: number): { readonly number: number; readonly finding: Finding }[] {
    return this.#noticed
      .filter(({ number }) => number > after && number <= through)
      .map((noticed) => ({ number: noticed.number, finding: findingOf(noticed) }));
  }

  /** The ids of the detectors that watch. */
  get watched(): string[] {
    return this.#watching.detectors.filter((detector) => !this.#broken.has(detector)).map(({ id }) => id);
  }

  #wait(event: AccountEvent, number: number): readonly Finding[] {
    this.#noticed = [];
    this.#lookouts = [];
    this.#byKind = new Map();
    this.#opening = { event, number };
    return NONE;
  }

  #isAskedFor({ kind }: AccountEvent): boolean {
    return this.#watching.detectors.some(({ kinds }) => kinds === undefined || kinds.includes(kind));
  }

  #endWait(): void {
    if (this.#opening === undefined) return;
    const { event, number } = this.#opening;
    this.#startOver();
    for (const lookout of this.#lookouts) this.#look(lookout, event, number);
  }

  #startOver(): void {
    this.#opening = undefined;
    this.#noticed = [];
    const shared: Shared = { orders: new SentOrders() };
    this.#lookouts = this.#watching.detectors.flatMap((detector) => this.#post(detector, shared));
    this.#byKind = new Map();
  }

  #post(detector: Detector, shared: Shared): Lookout[] {
    if (this.#broken.has(detector)) return [];
    try {
      return [{ detector, watch: detector.watch(this.#watching.settings, shared), bySubject: new Map() }];
    } catch (fault) {
      this.#giveUp(detector, fault);
      return [];
    }
  }

  #lookoutsFor(event: AccountEvent): readonly Lookout[] {
    const known = this.#byKind.get(event.kind);
    if (known !== undefined) return known;
    const asked = this.#lookouts.filter(
      ({ detector: { kinds } }) => kinds === undefined || isBeginning(event) || kinds.includes(event.kind),
    );
    this.#byKind.set(event.kind, asked);
    return asked;
  }

  #look(lookout: Lookout, event: AccountEvent, number: number): void {
    try {
      for (const sighting of lookout.watch(event)) this.#note(lookout, sighting, { at: event.at, number });
    } catch (fault) {
      this.#lookouts = this.#lookouts.filter((other) => other !== lookout);
      this.#byKind = new Map();
      this.#giveUp(lookout.detector, fault);
    }
  }

  #giveUp(detector: Detector, fault: unknown): void {
    this.#broken.add(detector);
    this.#watching.report(new Error(`the detector ${detector.id} watches no more`, { cause: fault }));
  }

  #note({ detector, bySubject }: Lookout, { subject, seen, exchanges }: Sighting, moment: Moment): void {
    const named = bySubject.has(subject) || bySubject.size < MOST_SUBJECTS ? subject : OTHERS;
    const noticed = bySubject.get(named) ?? this.#begin(detector, named, moment);
    bySubject.set(named, noticed);
    noticed.seen = seen;
    noticed.count += 1;
    noticed.lastAt = moment.at;
    for (const exchange of exchanges) noticed.evidence.add(exchange);
  }

  #begin(detector: Detector, subject: string, { at, number }: Moment): Noticed {
    const noticed = { detector, subject, number, seen: "", count: 0, firstAt: at, lastAt: at, evidence: new Evidence() };
    this.#noticed.push(noticed);
    return noticed;
  }
}

/** A detector at its post. */
interface Lookout {
  readonly detector: Detector;
  readonly watch: Watch;
  readonly bySubject: Map<string, Noticed>;
}

interface Moment {
  readonly at: Instant;
  readonly number: number;
}

/** A finding in the making. */
interface Noticed {
  readonly detector: Detector;
  readonly subject: string;
  /** The number of the event with which it was first seen. */
  readonly number: number;
  readonly firstAt: Instant;
  readonly evidence: Evidence;
  seen: string;
  count: number;
  lastAt: Instant;
}

const NONE: readonly Finding[] = [];
const OTHERS = `all others, past the first ${MOST_SUBJECTS}`;

function findingOf({ detector, subject, seen, count, firstAt, lastAt, evidence }: Noticed): Finding {
  const { id, severity, title, why, mend, assumes } = detector;
  return { id, subject, severity, title, seen, why, mend, assumes, count, firstAt, lastAt, exchanges: evidence.list() };
}
