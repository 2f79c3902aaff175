import { counted } from "../../gateway/domain/counted.ts";
import { NO_MONEY } from "../../gateway/domain/kes.ts";
import { PRODUCTS } from "../../gateway/domain/order.ts";
import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppMap } from "../application/app-map.ts";
import { placeholdersIn } from "../application/placeholders.ts";
import { priceAs } from "../application/price.ts";
import { FAULTS } from "../faults.ts";
import { PROFILE_TRIAL_IDS } from "../profile-trials.ts";
import { EXPERIMENT_NAMES } from "./experiments.ts";

/** Says what the app map leaves unseen, by name, what comes later than orders were watched, and how much was not chosen. */
export function describeUnexplored(map: AppMap, watched: Millis, chosen?: readonly string[]): string[] {
  const unseen = {
    "restarts (no restart in the map)": map.restart !== undefined,
    "what the application says of an order (no status)": map.status !== undefined,
    "money (no balance)": map.balance !== undefined,
    "money of an SMS of several parts (no price for it in balance)":
      map.balance === undefined || map.order.sms === undefined || priceAs(map.balance.price, LONG_SMS) !== undefined,
    "books (no books)": map.books !== undefined,
    ...describeProducts(map),
    [`more than ${counted(map.at_once ?? 0, "order")} at once (at_once in the map)`]: map.at_once === undefined,
    [`timers longer than ${formatDuration(inWholeUnits(watched))}`]: false,
  };
  const lacking = Object.entries(unseen).flatMap(([words, isSeen]) => (isSeen ? [] : [words]));
  return chosen === undefined ? lacking : [...lacking, ...describeOmitted(chosen)];
}

/** Rounds down to seconds, below one to milliseconds. */
function inWholeUnits(watched: Millis): Millis {
  const unit = watched < SECOND ? 1 : SECOND;
  return Math.floor(watched / unit) * unit;
}

/** Says of each product what the map does not pass on, which no trial can vary or tell apart. */
function describeProducts({ order, callbacks }: AppMap): Record<string, boolean> {
  const hasCallbacks = PRODUCTS.some((product) => callbacks[product] !== undefined);
  const unseen: Record<string, boolean> = { "callbacks (no callbacks)": hasCallbacks };
  for (const product of PRODUCTS) {
    unseen[`${product} (no order.${product})`] = order[product] !== undefined;
    if (order[product] === undefined) continue;
    const passed = placeholdersIn(order[product].request);
    const [what, name] = product === "airtime" ? ["amounts", "amount"] : ["texts", "message"];
    if (hasCallbacks) unseen[`callbacks of ${product} (no callbacks.${product})`] = callbacks[product] !== undefined;
    unseen[`${what} (no {${name}} in order.${product})`] = passed.includes(name);
    unseen[`the same order twice (no {reference} in order.${product})`] = passed.includes("reference");
  }
  return unseen;
}

function describeOmitted(chosen: readonly string[]): string[] {
  const omitted = (ids: readonly string[]): number => ids.filter((id) => !chosen.includes(id)).length;
  const faults = omitted(FAULTS.map(({ id }) => id));
  const trials = omitted([...EXPERIMENT_NAMES, ...PROFILE_TRIAL_IDS]);
  const counts = [...(faults > 0 ? [counted(faults, "fault")] : []), ...(trials > 0 ? [counted(trials, "trial")] : [])];
  return counts.length === 0 ? [] : [`${counts.join(" and ")} not chosen`];
}

const LONG_SMS = { operation: "sms", amount: 0, charged: NO_MONEY, parts: 2 } as const;
