import { type Carrier, CARRIERS, type Numbering, parsePhoneNumber, routeTo } from "../gateway/domain/carrier.ts";
import type { Delay } from "../gateway/domain/draws.ts";
import { type Operation, PRODUCTS } from "../gateway/domain/order.ts";
import { formatDuration, type Millis } from "../gateway/domain/time.ts";
import { phoneBeginning } from "./known-forms.ts";
import { callbackOf, isAcknowledgment, type ObservedExchange, orderFieldsOf, responseOf } from "./observed-exchange.ts";

/** Fewer pairs of an acknowledgment and its callback say too little. */
const FEWEST_PAIRS = 20;

/** How long a carrier took, as fitted to what was observed. */
export interface FittedLatency {
  readonly carrier: Carrier;
  readonly operation: Operation;
  readonly pairs: number;
  readonly median: Millis;
  readonly sigma: number;
  readonly first: string;
  readonly last: string;
}

/** An acknowledgment or a callback whose other half was not read yet. */
interface Half {
  readonly at: number;
  readonly isCallback: boolean;
  /** Whose order it is; absent if the request was not captured. */
  readonly of?: Served;
}

type Served = `${Carrier} ${Operation}`;

/** Pairs acknowledgments with their callbacks. */
export class LatencyFit {
  readonly #numbering: Numbering;
  /** The half of a pair that came first in the files, by request_id. */
  readonly #halves = new Map<string, Half>();
  readonly #pairs = new Map<Served, { readonly wait: Millis; readonly at: number }[]>();

  /** Only a number's prefix is known, so its carrier is the prefix's. */
  constructor({ prefixes }: Pick<Numbering, "prefixes">) {
    this.#numbering = { prefixes, ported: {}, ported_share: 0 };
  }

  add(exchange: ObservedExchange): void {
    const at = Date.parse(exchange.at ?? "");
    const callback = callbackOf(exchange);
    if (Number.isNaN(at)) return;
    if (callback !== undefined) this.#match(callback["request_id"], { at, isCallback: true });
    else if (isAcknowledgment(exchange))
      this.#match(responseOf(exchange)?.["request_id"], { at, isCallback: false, of: this.#servedBy(exchange) });
  }

  /** A repeated callback or acknowledgment pairs with nothing. */
  #match(id: unknown, half: Half): void {
    if (typeof id !== "string") return;
    const other = this.#halves.get(id) ?? half;
    this.#halves.set(id, other);
    if (other.isCallback === half.isCallback) return;
    this.#halves.delete(id);
    const [{ at, of }, callback] = half.isCallback ? [other, half] : [half, other];
    if (of === undefined) return;
    const pairs = this.#pairs.get(of) ?? [];
    pairs.push({ wait: Math.max(1, callback.at - at), at: callback.at });
    this.#pairs.set(of, pairs);
  }

  #servedBy(exchange: ObservedExchange): Served | undefined {
    const order = orderFieldsOf(exchange);
    const begun = phoneBeginning(String(order?.["phone_number"]));
    const number = begun && parsePhoneNumber(`254${begun.prefix}000000`, "strict");
    const route = number && routeTo(number, this.#numbering);
    return route && `${route.carrier} ${order?.["message"] === undefined ? "airtime" : "sms"}`;
  }

  /** The number of pairs of a known carrier. */
  get pairs(): number {
    return [...this.#pairs.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns the lognormal distribution of each carrier and operation with enough pairs. */
  fitted(): FittedLatency[] {
    return CARRIERS.flatMap((carrier) =>
      PRODUCTS.flatMap((operation) => {
        const pairs = this.#pairs.get(`${carrier} ${operation}`) ?? [];
        if (pairs.length < FEWEST_PAIRS) return [];
        const days = pairs.map(({ at }) => new Date(at).toISOString()).toSorted();
        const [first = "", last = ""] = [days[0], days.at(-1)];
        return { carrier, operation, pairs: pairs.length, ...fitLognormal(pairs.map(({ wait }) => wait)), first, last };
      }),
    );
  }
}

/** Fits by maximum likelihood: mean and deviation of the logarithms. */
function fitLognormal(waits: readonly Millis[]): Pick<FittedLatency, "median" | "sigma"> {
  const logs = waits.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
  return { median: Math.round(Math.exp(mean)), sigma: Math.round(Math.sqrt(variance) * 1_000) / 1_000 };
}

/** 95 % of a normal distribution is within this many deviations. */
const CONFIDENCE = 1.96;

/** Returns whether a setting's distribution may have given what was observed, at a confidence of 95 %. */
export function isPlausible({ median, sigma, pairs }: FittedLatency, delay: Delay): boolean {
  if (!("lognormal" in delay)) return false;
  const error = (CONFIDENCE * Math.max(sigma, delay.lognormal.sigma)) / Math.sqrt(pairs);
  const isMedian = Math.abs(Math.log(median) - Math.log(delay.lognormal.median)) <= error;
  return isMedian && Math.abs(sigma - delay.lognormal.sigma) <= error;
}

export function describeDelay(delay: Delay): string {
  if ("fixed" in delay) return formatDuration(delay.fixed);
  if ("uniform" in delay) return delay.uniform.map(formatDuration).join(" to ");
  return `median ${formatDuration(delay.lognormal.median)}, sigma ${delay.lognormal.sigma}`;
}
