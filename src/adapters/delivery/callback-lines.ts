import undici from "undici";
import type { Millis } from "../../domain/time.ts";
import type { CallbackRequest, Delivered } from "../../ports/callback-transport.ts";
import { Delivery } from "./delivery.ts";
import { composeHeaders, parseTarget } from "./delivery-target.ts";
import { parseHostList } from "./egress.ts";
import { spoilBody, type Wait } from "./spoil-body.ts";
import { createAgentPool } from "./agent-pool.ts";

export interface LinesOptions {
  /** Public hosts that untrusted URLs may name: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  /** Wall time. */
  readonly now: () => Millis;
  /** Waits between two bytes of a dripped body. Defaults to real time. */
  readonly wait?: Wait;
}

/** The connections for callbacks, built on undici and node:tls. */
export interface Lines {
  send(request: CallbackRequest, signal: AbortSignal): Promise<Delivered> | Delivered;
  /** Abandons all deliveries in progress at once. */
  abandonAll(): void;
  close(): Promise<void>;
}

export function openLines({ callbackAllow, now, wait }: LinesOptions): Lines {
  const pool = createAgentPool(parseHostList(callbackAllow));
  const underWay = createUnderWay();
  return {
    send(request, signal) {
      const target = parseTarget(request.url);
      if ("unusable" in target) return block(target.unusable);
      const composed = composeHeaders(request.headers, target.authorization);
      if ("unusable" in composed) return block(composed.unusable);
      const { origin, path, secure } = target;
      const { body, framing } = spoilBody(request, wait);
      return new Promise((resolve) => {
        const delivery = new Delivery({ secure, timeout: request.timeout, now }, (delivered) => {
          underWay.remove(delivery, signal);
          resolve(delivered);
        });
        underWay.add(delivery, signal);
        const agent = pool.pick(request, undici.Agent);
        agent.dispatch({ origin, path, method: "POST", headers: { ...composed.headers, ...framing }, body }, delivery);
      });
    },
    abandonAll: () => underWay.abandonAll(),
    close: () => pool.close(),
  };
}

/** Returns the outcome for a callback that cannot be sent. */
function block(reason: string): Delivered {
  return { outcome: { kind: "blocked", reason }, millis: 0 };
}

/** The deliveries in progress, grouped by the signal that aborts them. */
interface UnderWay {
  add(delivery: Delivery, signal: AbortSignal): void;
  remove(delivery: Delivery, signal: AbortSignal): void;
  abandonAll(): void;
}

/** Listens once to each signal, however many deliveries share it, because adding and removing listeners walks the signal's list. */
function createUnderWay(): UnderWay {
  const groups = new Map<AbortSignal, Group>();

  return {
    add(delivery, signal) {
      const group = groups.get(signal) ?? openGroup(signal);
      groups.set(signal, group);
      group.deliveries.add(delivery);
    },
    remove(delivery, signal) {
      const group = groups.get(signal);
      if (!group?.deliveries.delete(delivery) || group.deliveries.size > 0) return;
      signal.removeEventListener("abort", group.abandon);
      groups.delete(signal);
    },
    abandonAll() {
      for (const group of groups.values()) group.abandon();
    },
  };
}

interface Group {
  readonly deliveries: Set<Delivery>;
  readonly abandon: () => void;
}

function openGroup(signal: AbortSignal): Group {
  const deliveries = new Set<Delivery>();
  const abandon = (): void => {
    for (const delivery of deliveries) delivery.abandon();
  };
  signal.addEventListener("abort", abandon);
  return { deliveries, abandon };
}
