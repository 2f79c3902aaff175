import { Tally } from "./tally.ts";
import type { AccountGauges } from "./prometheus.ts";
import { kesAsNumber, available } from "../gateway/domain/kes.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import type { World } from "../gateway/engine/world.ts";
import { VERSION } from "../version.ts";
import { answerProblem } from "./answer-problem.ts";
import type { ControlOptions } from "./control-api.ts";
import { checkToken, guardEdges } from "./guard.ts";

type MetricsOptions = Pick<ControlOptions, "adminToken" | "adminHosts" | "ownership" | "report">;

/**
 * Starts counting what happens in a world. Returns a function that serves the metrics, protected like the control API, because they contain
 * account names.
 */
export function followMetrics(
  world: World,
  { ownership, ...options }: MetricsOptions,
): (request: Request) => Promise<Response> {
  const tally = new Tally();
  world.observe(({ state }, event) => tally.take(event, state));
  return async (request) => {
    try {
      guardEdges(request, options.adminHosts);
      checkToken(request, options.adminToken);
      // Loaded on first use: most sandboxes are never scraped.
      const { CONTENT_TYPE, writeMetrics } = await import("./prometheus.ts");
      const accounts = world.list().map(gaugesOf);
      const text = await writeMetrics({
        tally,
        accounts,
        version: VERSION,
        ...(ownership && { replica: ownership.self.url }),
      });
      return new Response(text, { headers: { "content-type": CONTENT_TYPE, "cache-control": "no-store" } });
    } catch (fault) {
      return answerProblem(fault, options.report);
    }
  };
}

function gaugesOf({ consumerKey, state, callbacksUnderWay }: RunningAccount): AccountGauges {
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
