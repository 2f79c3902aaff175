import type { Millis } from "../domain/time.ts";
import type { CallbackRequest, Delivered } from "../ports/callback-transport.ts";
import { Delivery } from "./delivery.ts";
import { composeHeaders, parseTarget } from "./delivery-target.ts";
import { parseHostList } from "./egress.ts";
import { spoilBody } from "./spoil-body.ts";
import { createTrunks } from "./trunks.ts";
import { Agent } from "./undici-agent.ts";
import { createUnderWay } from "./under-way.ts";

export interface LinesOptions {
  /** Public hosts that untrusted URLs may name, too: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  /** Wall time. */
  readonly now: () => Millis;
}

/** What callbacks go over, with undici and node:tls, which has all of OpenSSL's names. */
export interface Lines {
  send(request: CallbackRequest, signal: AbortSignal): Promise<Delivered> | Delivered;
  /** What is under way is abandoned at once. */
  abandonAll(): void;
  close(): Promise<void>;
}

export function openLines({ callbackAllow, now }: LinesOptions): Lines {
  const trunks = createTrunks(parseHostList(callbackAllow));
  const underWay = createUnderWay();
  return {
    send(request, signal) {
      const target = parseTarget(request.url);
      if ("unusable" in target) return block(target.unusable);
      const composed = composeHeaders(request.headers, target.authorization);
      if ("unusable" in composed) return block(composed.unusable);
      const { origin, path, secure } = target;
      const { body, framing } = spoilBody(request);
      return new Promise((resolve) => {
        const delivery = new Delivery({ secure, timeout: request.timeout, now }, (delivered) => {
          underWay.remove(delivery, signal);
          resolve(delivered);
        });
        underWay.add(delivery, signal);
        const agent = trunks.pick(request, Agent);
        agent.dispatch({ origin, path, method: "POST", headers: { ...composed.headers, ...framing }, body }, delivery);
      });
    },
    abandonAll: () => underWay.abandonAll(),
    close: () => trunks.close(),
  };
}

/** Nothing was sent, because it cannot be. */
function block(reason: string): Delivered {
  return { outcome: { kind: "blocked", reason }, millis: 0 };
}
