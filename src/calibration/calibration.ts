import { configSchema } from "../config.ts";
import type { Path } from "../gateway/document/problem.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import type { Guess, GuessSettings, GuessValue, ShownGuess } from "./guess.ts";
import { GUESSES } from "./guesses.ts";
import { ANOTHER_VALUE } from "./known-forms.ts";
import { callbackOf, toFields, type ObservedExchange, parseBodies, responseOf } from "./observed-exchange.ts";
import { describeDelay, LatencyFit, isPlausible } from "./latency-fit.ts";

/** A value that exchanges showed: with how many orders, and on which days (ISO 8601, UTC) if they have times. */
interface ObservedValue {
  readonly value: GuessValue;
  readonly count: number;
  readonly first?: string;
  readonly last?: string;
}

/** A guess that exchanges touched. */
export interface ComparedGuess {
  readonly id: string;
  readonly verdict: "agrees" | "differs" | "contradictory";
  readonly guessed: string;
  readonly kredo: GuessValue;
  readonly observed: readonly ObservedValue[];
  /** The setting that takes what was observed, and what it would be. */
  readonly setting?: { readonly path: Path; readonly value: unknown };
}

export interface Calibration {
  readonly rows: readonly ComparedGuess[];
  /** The ids of the guesses that no exchange touched. */
  readonly notSeen: readonly string[];
  /** Pairs of an acknowledgment and its callback of which there are too few. */
  readonly unfittedPairs: number;
}

const SHOWN = GUESSES.filter(isShown);

/** Collects what exchanges show, and compares it with settings. */
export class Calibrator {
  readonly #values = new Map<string, Map<GuessValue, Sighting>>();
  readonly #settings: GuessSettings;
  readonly #latency: LatencyFit;

  constructor(settings: GuessSettings) {
    this.#settings = settings;
    this.#latency = new LatencyFit(settings.gateway.numbers);
  }

  add(redacted: ObservedExchange): void {
    const exchange = parseBodies(redacted);
    for (const { id, extract } of SHOWN) {
      const value = extract(exchange, this.#settings);
      if (value === undefined) continue;
      const values = this.#values.get(id) ?? new Map<GuessValue, Sighting>();
      const sighting = values.get(value) ?? { orders: new Set(), others: 0 };
      recordSighting(sighting, exchange);
      this.#values.set(id, values.set(value, sighting));
    }
    this.#latency.add(exchange);
  }

  compare(settings: GuessSettings): Calibration {
    const latencies = this.#compareLatencies(settings);
    const rows = GUESSES.flatMap((guess): readonly ComparedGuess[] => {
      if (guess.id === "latency") return latencies;
      if (!isShown(guess)) return [];
      const observed = [...(this.#values.get(guess.id) ?? [])].map(describeSighting);
      const kredo = kredoValue(guess, settings);
      const [only] = observed;
      if (only === undefined) return [];
      const verdict = observed.length > 1 ? "contradictory" : only.value === kredo ? "agrees" : "differs";
      const { id, guessed } = guess;
      return [{ id, verdict, guessed, kredo, observed, setting: settingFor(guess, only.value) }];
    });
    const seen = new Set(rows.map(({ id }) => id.replace(/^latency .*/, "latency")));
    return {
      rows,
      notSeen: GUESSES.flatMap(({ id }) => (seen.has(id) ? [] : [id])),
      unfittedPairs: latencies.length > 0 ? 0 : this.#latency.pairs,
    };
  }

  #compareLatencies({ gateway }: GuessSettings): ComparedGuess[] {
    return this.#latency.fitted().map((fitted) => {
      const { carrier, operation, median, sigma, pairs, first, last } = fitted;
      const delay = gateway.carriers[carrier].latency[operation];
      const lognormal = { median: formatDuration(median), sigma };
      const value = describeDelay({ lognormal: { median, sigma } });
      return {
        id: `latency ${carrier} ${operation}`,
        verdict: isPlausible(fitted, delay) ? "agrees" : "differs",
        guessed: `how long ${carrier} takes for ${operation}`,
        kredo: describeDelay(delay),
        observed: [{ value, count: pairs, first: first.slice(0, 10), last: last.slice(0, 10) }],
        setting: { path: ["carriers", carrier, "latency", operation], value: { lognormal } },
      };
    });
  }
}

export function isShown(guess: Guess): guess is ShownGuess {
  return "extract" in guess;
}

/** Returns what Kredo does with these settings. A setting that is left out is "none". */
export function kredoValue({ kredo, setting = "" }: Guess, { gateway, accounts }: GuessSettings): GuessValue {
  if (kredo !== undefined) return kredo({ gateway, accounts });
  const value = pathOf(setting).reduce<unknown>((inner, step) => (step === 0 ? accounts[0] : toFields(inner)?.[step]), {
    ...gateway,
    accounts,
  });
  return isGuessValue(value) ? value : "none";
}

function isGuessValue(value: unknown): value is GuessValue {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** The orders that showed a value. An acknowledgment and its callbacks are one order. */
interface Sighting {
  readonly orders: Set<string>;
  /** The exchanges without a request_id. */
  others: number;
  first?: string;
  last?: string;
}

function recordSighting(sighting: Sighting, exchange: ObservedExchange): void {
  const id = (responseOf(exchange) ?? callbackOf(exchange))?.["request_id"];
  if (typeof id === "string") sighting.orders.add(id);
  else sighting.others += 1;
  const day = exchange.at?.slice(0, 10);
  if (day === undefined) return;
  const { first = day, last = day } = sighting;
  sighting.first = day < first ? day : first;
  sighting.last = day > last ? day : last;
}

function describeSighting([value, { orders, others, first, last }]: readonly [GuessValue, Sighting]): ObservedValue {
  return { value, count: orders.size + others, first, last };
}

/** Returns the setting that takes a value, if there is one. */
function settingFor({ id, setting }: ShownGuess, seen: GuessValue): ComparedGuess["setting"] {
  if (setting === undefined || seen === ANOTHER_VALUE) return undefined;
  const [path, value] = [pathOf(setting), writtenForm(id, seen)];
  const config = path.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { [step]: inner }), value);
  return configSchema.safeParse(config).success ? { path, value } : undefined;
}

/** Settings of an account are those of the first. */
function pathOf(setting: string): Path {
  return setting.split(".").flatMap((step) => (step.endsWith("[]") ? [step.slice(0, -2), 0] : [step]));
}

/** Returns what a config file says for a value. What is absent has no form. */
function writtenForm(id: string, value: GuessValue): unknown {
  if (id === "duplicate-window" && typeof value === "number") return formatDuration(value);
  return value === "none" ? undefined : value;
}

/** "2 times, 2025-10-17 to 2025-10-20". */
export function describeCount({ count, first, last }: ObservedValue): string {
  const times = count === 1 ? "once" : `${count} times`;
  if (first === undefined || last === undefined) return times;
  return first === last ? `${times}, ${first}` : `${times}, ${first} to ${last}`;
}
