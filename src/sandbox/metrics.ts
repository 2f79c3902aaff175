import { Tally } from "../account/readings/tally.ts";
import type { Standing } from "../adapters/prometheus.ts";
import { kesAsNumber } from "../domain/kes.ts";
import { available } from "../domain/wallet.ts";
import type { Account } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import type { MetricsOptions } from "../http/metrics.ts";
import { VERSION } from "../version.ts";

/** Counts what happens in a world from now on; answers how a request for the metrics is answered. */
export function followMetrics(
  world: World,
  options: Omit<MetricsOptions, "contentType" | "write">,
): (request: Request) => Promise<Response> {
  const tally = new Tally();
  world.observe(({ state }, event) => tally.take(event, state));
  return async (request) => {
    // Loaded at first use: most sandboxes are never scraped.
    const [{ answerMetrics }, { CONTENT_TYPE, writeMetrics }] = await Promise.all([
      import("../http/metrics.ts"),
      import("../adapters/prometheus.ts"),
    ]);
    const write = (): Promise<string> => writeMetrics({ tally, standings: world.list().map(standingOf), version: VERSION });
    return answerMetrics(request, { ...options, contentType: CONTENT_TYPE, write });
  };
}

function standingOf({ consumerKey, state, callbacksUnderWay }: Account): Standing {
  const { wallet, unresolved, stuck } = state;
  return {
    account: consumerKey,
    available: kesAsNumber(available(wallet)),
    held: kesAsNumber(wallet.held),
    pending: unresolved,
    stuck,
    underWay: callbacksUnderWay,
  };
}
