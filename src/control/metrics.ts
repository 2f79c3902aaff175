import { Tally } from "./tally.ts";
import type { World } from "../gateway/engine/world.ts";
import { answerProblem } from "./answer-problem.ts";
import type { ControlOptions } from "./control-api.ts";
import { checkToken, guardOrigin } from "./guard.ts";

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
      guardOrigin(request, options.adminHosts);
      checkToken(request, options.adminToken);
      // Loaded on first use: most sandboxes are never scraped.
      const { CONTENT_TYPE, writeMetrics } = await import("./prometheus.ts");
      const text = await writeMetrics(tally, world.list(), ownership?.self.url);
      return new Response(text, { headers: { "content-type": CONTENT_TYPE, "cache-control": "no-store" } });
    } catch (fault) {
      return answerProblem(fault, options.report);
    }
  };
}
