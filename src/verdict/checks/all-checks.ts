import type { Watcher } from "./check.ts";
import { connections } from "./connections.ts";
import type { Check } from "./finding.ts";
import { receiver } from "./receiver.ts";
import { refusedRequests } from "./refused-requests.ts";
import { repeatedOrders } from "./repeated-orders.ts";
import { requestForm } from "./request-form.ts";
import { retries } from "./retries.ts";

/** Everything that is watched. Each has its own file here and its own test. */
export const WATCHERS: readonly Watcher[] = [
  receiver,
  requestForm,
  connections,
  repeatedOrders,
  retries,
  refusedRequests,
];

export const TRAFFIC_CHECKS: readonly Check[] = WATCHERS.flatMap(({ checks }) => checks).toSorted((one, other) =>
  one.id < other.id ? -1 : 1,
);

/** The ids used in the config, in rehearsals and in the control API. */
export const TRAFFIC_CHECK_IDS: readonly string[] = TRAFFIC_CHECKS.map(({ id }) => id);
