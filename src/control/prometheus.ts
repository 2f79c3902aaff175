import { collectDefaultMetrics, Counter, Gauge, Histogram, type HistogramConfiguration, Registry } from "prom-client";
import { BOUNDS, type Tally } from "./tally.ts";

/** The current values of an account. */
export interface AccountGauges {
  readonly account: string;
  /** KES. */
  readonly available: number;
  /** KES. */
  readonly held: number;
  /** Transactions with a result or callback still pending. */
  readonly pending: number;
  /** Transactions that a scenario never settles. */
  readonly stuck: number;
  /** Callbacks in flight. */
  readonly underWay: number;
}

export interface Observed {
  readonly tally: Tally;
  /** In the order in which the accounts were opened. */
  readonly accounts: readonly AccountGauges[];
  readonly version: string;
  /** This replica's URL, if several share the sandbox. It becomes a label of every metric. */
  readonly replica?: string;
}

/** The content type of Prometheus's text format 0.0.4. */
export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Writes the metrics of a sandbox and of the process that it runs in. */
export async function writeMetrics(observed: Observed): Promise<string> {
  // A new registry for each scrape, because its values are read from counts kept elsewhere.
  const registry = new Registry();
  const labels = observed.replica === undefined ? {} : { replica: observed.replica };
  for (const labelled of [registry, PROCESS]) labelled.setDefaultLabels(labels);
  writeCounts(observed.tally, registry);
  writeStandings(observed.accounts, registry);
  const labelNames = ["version"];
  new Gauge({ name: "kredo_info", help: "The running version.", labelNames, registers: [registry] }).set(
    { version: observed.version },
    1,
  );
  return `${await registry.metrics()}\n${await PROCESS.metrics()}`;
}

/** Metrics of the process, not of a sandbox: event loop, memory, CPU. Collected from the first scrape on. */
const PROCESS = new Registry();
collectDefaultMetrics({ register: PROCESS });

function writeCounts({ requests, callbacks, durations }: Tally, registry: Registry): void {
  const registers = [registry];
  const answered = new Counter({
    name: "kredo_requests_total",
    help: "Requests to the gateway, by status_code; cut if a scenario broke the connection before acceptance.",
    labelNames: ["operation", "code"],
    registers,
  });
  for (const [operation, codes] of requests)
    for (const [code, count] of codes) answered.inc({ operation, code }, count);
  const attempted = new Counter({
    name: "kredo_callback_attempts_total",
    help: "Callback attempts, by outcome.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  for (const [operation, outcomes] of callbacks)
    for (const [outcome, count] of outcomes) attempted.inc({ operation, outcome }, count);
  registry.registerMetric(new CountedDurations(durations));
}

const SECOND = 1_000;

/** A histogram from existing bucket counts. The library's own can only be filled with one observation at a time. */
class CountedDurations extends Histogram<"operation" | "le"> {
  readonly #durations: Tally["durations"];

  constructor(durations: Tally["durations"]) {
    super(DESCRIPTION);
    this.#durations = durations;
  }

  override async get(): ReturnType<Histogram<"operation" | "le">["get"]> {
    const values = [...this.#durations].flatMap(([operation, { counts, count, sum }]) => [
      ...BOUNDS.map((bound, place) =>
        this.#value("bucket", { operation, le: bound / SECOND }, total(counts.slice(0, place + 1))),
      ),
      this.#value("bucket", { operation, le: "+Inf" }, count),
      this.#value("sum", { operation }, sum / SECOND),
      this.#value("count", { operation }, count),
    ]);
    return { ...(await EMPTY.get()), values };
  }

  /** Called by the registry in place of `get`, if present. */
  getForPromString(): ReturnType<Histogram<"operation" | "le">["get"]> {
    return this.get();
  }

  #value(part: string, labels: Partial<Record<"operation" | "le", string | number>>, value: number) {
    return { metricName: `${DESCRIPTION.name}_${part}`, labels, value };
  }
}

const DESCRIPTION: HistogramConfiguration<"operation" | "le"> = {
  name: "kredo_callback_duration_seconds",
  help: "Wall time from the start of an attempt until the receiver answered or the time limit passed.",
  labelNames: ["operation"],
  buckets: BOUNDS.map((bound) => bound / SECOND),
  registers: [],
};
const EMPTY = new Histogram(DESCRIPTION);

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The most accounts with their own label; later ones are counted together. */
const LABELLED = 100;
/** A consumer key that is the same word is counted with them. */
const OTHERS = "other";

const GAUGES = [
  ["kredo_wallet_available_kes", "The available balance.", "available"],
  ["kredo_wallet_held_kes", "Money held for transactions that have not settled.", "held"],
  ["kredo_transactions_pending", "Transactions with a result or callback still pending.", "pending"],
  ["kredo_transactions_stuck", "Transactions that a scenario keeps from settling.", "stuck"],
  ["kredo_callbacks_under_way", "Callbacks in flight.", "underWay"],
] as const;

function writeStandings(accounts: readonly AccountGauges[], registry: Registry): void {
  for (const [name, help, field] of GAUGES) {
    const gauge = new Gauge({ name, help, labelNames: ["account"], registers: [registry] });
    accounts.forEach((gauges, place) =>
      gauge.inc({ account: place < LABELLED ? gauges.account : OTHERS }, gauges[field]),
    );
  }
  new Gauge({ name: "kredo_accounts", help: "Open accounts.", registers: [registry] }).set(accounts.length);
}
