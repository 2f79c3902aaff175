import type { Secrets } from "../ports/secrets.ts";
import { answerProblem } from "./control/answer-problem.ts";
import { checkToken, guardEdges } from "./guard.ts";

export interface MetricsOptions {
  readonly contentType: string;
  /** Writes them as they stand. */
  readonly write: () => Promise<string>;
  /** Asked for as a bearer token, where it is set: the names of accounts are no less secret here. */
  readonly adminToken?: string;
  readonly adminHosts: readonly string[];
  readonly secrets: Secrets;
  readonly report: (fault: unknown) => string;
}

/** Answers a request for the metrics, behind the control API's guard. */
export async function answerMetrics(request: Request, options: MetricsOptions): Promise<Response> {
  try {
    guardEdges(request, options.adminHosts);
    checkToken(request, options);
    return new Response(await options.write(), { headers: { "content-type": options.contentType, "cache-control": "no-store" } });
  } catch (fault) {
    return answerProblem(fault, options.report);
  }
}
