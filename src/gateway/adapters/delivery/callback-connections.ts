import undici from "undici";
import type { Millis } from "../../domain/time.ts";
import type { CallbackRequest, Delivered } from "../../ports/callback-transport.ts";
import { CallbackAttempt } from "./callback-attempt.ts";
import { composeHeaders, parseTarget } from "./delivery-target.ts";
import { parseHostList } from "./egress.ts";
import { createAgentPool } from "./agent-pool.ts";

export interface ConnectionOptions {
  /** Public hosts that untrusted URLs may name: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  /** Wall time. */
  readonly now: () => Millis;
}

/** The connections for callbacks, built on undici and node:tls. */
export interface CallbackConnections {
  send(request: CallbackRequest, signal: AbortSignal): Promise<Delivered> | Delivered;
  /** Abandons all attempts in progress at once. */
  abandonAll(): void;
  close(): Promise<void>;
}

export function openConnections({ callbackAllow, now }: ConnectionOptions): CallbackConnections {
  const pool = createAgentPool(parseHostList(callbackAllow));
  const underWay = createUnderWay();
  return {
    send(request, signal) {
      const target = parseTarget(request.url);
      if ("unusable" in target) return block(target.unusable);
      const composed = composeHeaders(request.headers, target.authorization);
      if ("unusable" in composed) return block(composed.unusable);
      const { origin, path, secure } = target;
      return new Promise((resolve) => {
        const attempt = new CallbackAttempt({ secure, timeout: request.timeout, now }, (delivered) => {
          underWay.remove(attempt, signal);
          resolve(delivered);
        });
        underWay.add(attempt, signal);
        const agent = pool.pick(request, undici.Agent);
        agent.dispatch({ origin, path, method: "POST", headers: composed.headers, body: request.body }, attempt);
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

/** The attempts in progress, grouped by the signal that aborts them. */
interface UnderWay {
  add(attempt: CallbackAttempt, signal: AbortSignal): void;
  remove(attempt: CallbackAttempt, signal: AbortSignal): void;
  abandonAll(): void;
}

/** Listens once to each signal, however many attempts share it, because adding and removing listeners walks the signal's list. */
function createUnderWay(): UnderWay {
  const groups = new Map<AbortSignal, Group>();

  return {
    add(attempt, signal) {
      const group = groups.get(signal) ?? openGroup(signal);
      groups.set(signal, group);
      group.attempts.add(attempt);
    },
    remove(attempt, signal) {
      const group = groups.get(signal);
      if (!group?.attempts.delete(attempt) || group.attempts.size > 0) return;
      signal.removeEventListener("abort", group.abandon);
      groups.delete(signal);
    },
    abandonAll() {
      for (const group of groups.values()) group.abandon();
    },
  };
}

interface Group {
  readonly attempts: Set<CallbackAttempt>;
  readonly abandon: () => void;
}

function openGroup(signal: AbortSignal): Group {
  const attempts = new Set<CallbackAttempt>();
  const abandon = (): void => {
    for (const attempt of attempts) attempt.abandon();
  };
  signal.addEventListener("abort", abandon);
  return { attempts, abandon };
}
