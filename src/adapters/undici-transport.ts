import type { Millis } from "../domain/time.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import { Delivery } from "./delivery.ts";
import { composeHeaders, parseTarget } from "./delivery-target.ts";
import { spoilBody } from "./spoil-body.ts";
import { type HostList, parseHostList } from "./egress.ts";
import type { MakeAgent, Trunks } from "./trunks.ts";
import { createUnderWay } from "./under-way.ts";

export interface UndiciTransportOptions {
  /** Public hosts that untrusted URLs may name, too: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  /** Wall time. */
  readonly now: () => Millis;
}

/** Sends callbacks with undici over keep-alive connections, each exactly once. */
export function createUndiciTransport({ callbackAllow, now }: UndiciTransportOptions): CallbackTransport {
  const listed = parseHostList(callbackAllow);
  const underWay = createUnderWay();
  let opening: Promise<Lines> | undefined;
  let lines: Lines | undefined;
  let closed = false;

  function send(request: CallbackRequest, signal: AbortSignal, { trunks, makeAgent }: Lines): Promise<Delivered> | Delivered {
    if (closed || signal.aborted) return { outcome: { kind: "abandoned" }, millis: 0 };
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
      const agent = trunks.pick(request, makeAgent);
      agent.dispatch({ origin, path, method: "POST", headers: { ...composed.headers, ...framing }, body }, delivery);
    });
  }

  return {
    async deliver(request, signal) {
      lines ??= await (opening ??= openLines(listed));
      return send(request, signal, lines);
    },
    async close() {
      closed = true;
      underWay.abandonAll();
      const opened = await opening;
      await opened?.trunks.close();
    },
  };
}

interface Lines {
  readonly trunks: Trunks;
  readonly makeAgent: MakeAgent;
}

/** Loaded for the first callback: undici, and node:tls with all of OpenSSL's names. */
async function openLines(listed: HostList): Promise<Lines> {
  const [{ createTrunks }, { Agent }] = await Promise.all([import("./trunks.ts"), import("./undici-agent.ts")]);
  return { trunks: createTrunks(listed), makeAgent: Agent };
}

/** Nothing was sent, because it cannot be. */
function block(reason: string): Delivered {
  return { outcome: { kind: "blocked", reason }, millis: 0 };
}
