import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { available, kesAsNumber } from "../gateway/domain/kes.ts";
import type { AccountState } from "../gateway/account/state.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { VERSION } from "../version.ts";
import type { Counts, Tally } from "./tally.ts";

/** An account with what is read of it. */
export interface MeasuredAccount extends Pick<RunningAccount, "consumerKey" | "callbacksUnderWay"> {
  readonly state: Pick<AccountState, "wallet" | "pending" | "stuck">;
}

/** The content type of Prometheus's text format 0.0.4. */
export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * Writes the metrics of a sandbox and of the process that it runs in. Accounts come in the order in which they were opened. If several
 * replicas share the sandbox, this one's URL becomes a label of every metric.
 */
export async function writeMetrics(
  { requests, callbacks }: Tally,
  accounts: readonly MeasuredAccount[],
  replica?: string,
): Promise<string> {
  // A new registry for each scrape, because its values are read from counts kept elsewhere.
  const registry = new Registry();
  const registers = [registry];
  for (const labelled of [registry, PROCESS]) labelled.setDefaultLabels(replica === undefined ? {} : { replica });
  addCounter(registry, requests, {
    name: "kredo_requests_total",
    help: "Requests to the gateway, by status_code; cut if a scenario broke the connection before acceptance.",
    labelNames: ["operation", "code"],
  });
  addCounter(registry, callbacks, {
    name: "kredo_callback_attempts_total",
    help: "Callback attempts, by outcome.",
    labelNames: ["operation", "outcome"],
  });
  for (const [name, help, valueOf] of GAUGES) {
    const gauge = new Gauge({ name, help, labelNames: ["account"], registers });
    for (const [place, account] of accounts.entries())
      gauge.inc({ account: place < LABELLED ? account.consumerKey : OTHERS }, valueOf(account));
  }
  new Gauge({ name: "kredo_accounts", help: "Open accounts.", registers }).set(accounts.length);
  const running = { name: "kredo_info", help: "The running version.", labelNames: ["version"], registers };
  new Gauge(running).set({ version: VERSION }, 1);
  return `${await registry.metrics()}\n${await PROCESS.metrics()}`;
}

/** Metrics of the process, not of a sandbox: event loop, memory, CPU. Collected from the first scrape on. */
const PROCESS = new Registry();
collectDefaultMetrics({ register: PROCESS });

function addCounter(
  registry: Registry,
  counts: Counts,
  described: { readonly name: string; readonly help: string; readonly labelNames: [string, string] },
): void {
  const counter = new Counter({ ...described, registers: [registry] });
  for (const [operation, inner] of counts)
    for (const [value, count] of inner) counter.labels(operation, value).inc(count);
}

const GAUGES: readonly (readonly [name: string, help: string, valueOf: (account: MeasuredAccount) => number])[] = [
  ["kredo_wallet_available_kes", "The available balance.", ({ state }) => kesAsNumber(available(state.wallet))],
  [
    "kredo_wallet_held_kes",
    "Money held for transactions that have not settled.",
    ({ state }) => kesAsNumber(state.wallet.held),
  ],
  ["kredo_transactions_pending", "Transactions with a result or callback still pending.", ({ state }) => state.pending],
  ["kredo_transactions_stuck", "Transactions that a scenario keeps from settling.", ({ state }) => state.stuck],
  ["kredo_callbacks_under_way", "Callbacks in flight.", ({ callbacksUnderWay }) => callbacksUnderWay],
];

/** The most accounts with their own label; later ones are counted together. */
const LABELLED = 100;
/** A consumer key that is the same word is counted with them. */
const OTHERS = "other";
