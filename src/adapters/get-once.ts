import type { Millis } from "../domain/time.ts";
import type { CallbackRequest, Delivered } from "../ports/callback-transport.ts";
import { Delivery } from "./delivery.ts";
import { composeHeaders, parseTarget } from "./delivery-target.ts";
import type { HostList } from "./egress.ts";
import { createTrunks, type Trunks } from "./trunks.ts";

export interface Asking {
  readonly request: CallbackRequest;
  readonly signal: AbortSignal;
  /** Wall time. */
  readonly now: () => Millis;
}

/** Asks for a callback's URL with GET, over a connection of its own that is guarded as a callback's is. */
export async function getOnce(asking: Asking, listed: HostList): Promise<Delivered> {
  const trunks = createTrunks(listed);
  try {
    return await ask(asking, trunks);
  } finally {
    await trunks.close();
  }
}

async function ask({ request, signal, now }: Asking, trunks: Trunks): Promise<Delivered> {
  const target = parseTarget(request.url);
  if ("unusable" in target) return { outcome: { kind: "blocked", reason: target.unusable }, millis: 0 };
  const composed = composeHeaders({ accept: "*/*" }, target.authorization);
  if ("unusable" in composed) return { outcome: { kind: "blocked", reason: composed.unusable }, millis: 0 };
  const { Agent } = await import("./undici-agent.ts");
  const { origin, path, secure } = target;
  return new Promise((resolve) => {
    const delivery = new Delivery({ secure, timeout: request.timeout, now }, conclude);
    const abandon = (): void => delivery.abandon();
    signal.addEventListener("abort", abandon);
    if (signal.aborted) return abandon();
    trunks.pick(request, Agent).dispatch({ origin, path, method: "GET", headers: composed.headers }, delivery);

    function conclude(delivered: Delivered): void {
      signal.removeEventListener("abort", abandon);
      resolve(delivered);
    }
  });
}
