import type { Millis } from "../../domain/time.ts";
import type { CallbackRequest, Delivered } from "../../ports/callback-transport.ts";
import { Delivery } from "../delivery/delivery.ts";
import { composeHeaders, parseTarget } from "../delivery/delivery-target.ts";
import type { HostList } from "../delivery/egress.ts";
import { createAgentPool, type AgentPool } from "../delivery/agent-pool.ts";

export interface Asking {
  readonly request: CallbackRequest;
  readonly signal: AbortSignal;
  /** Wall time. */
  readonly now: () => Millis;
}

/** Asks for a callback's URL with GET, over a connection of its own that is guarded as a callback's is. */
export async function getOnce(asking: Asking, listed: HostList): Promise<Delivered> {
  const pool = createAgentPool(listed);
  try {
    return await ask(asking, pool);
  } finally {
    await pool.close();
  }
}

async function ask({ request, signal, now }: Asking, pool: AgentPool): Promise<Delivered> {
  const target = parseTarget(request.url);
  if ("unusable" in target) return { outcome: { kind: "blocked", reason: target.unusable }, millis: 0 };
  const composed = composeHeaders({ accept: "*/*" }, target.authorization);
  if ("unusable" in composed) return { outcome: { kind: "blocked", reason: composed.unusable }, millis: 0 };
  const { default: undici } = await import("undici");
  const { origin, path, secure } = target;
  return new Promise((resolve) => {
    const delivery = new Delivery({ secure, timeout: request.timeout, now }, conclude);
    const abandon = (): void => delivery.abandon();
    signal.addEventListener("abort", abandon);
    if (signal.aborted) return abandon();
    pool.pick(request, undici.Agent).dispatch({ origin, path, method: "GET", headers: composed.headers }, delivery);

    function conclude(delivered: Delivered): void {
      signal.removeEventListener("abort", abandon);
      resolve(delivered);
    }
  });
}
