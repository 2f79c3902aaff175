import { setMaxListeners } from "node:events";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { listen, type ListenAt, type Listening, type RequestListener } from "./adapters/server/node-server.ts";
import type { EncodeRefusal } from "./adapters/server/refuse-malformed.ts";
import type { Unreadable } from "./adapters/server/unreadable.ts";
import { encodeRefusal } from "./contract/acknowledgment.ts";
import { messageOf } from "./domain/message-of.ts";
import type { World } from "./engine/world.ts";
import { refuseUnreadable } from "./http/app.ts";
import { statusOf } from "./account/wire.ts";
import type { Bindings, GatewayEnv } from "./http/bindings.ts";
import { ConnectionBroken } from "./http/respond.ts";

/** The two ways to an app: with a socket and without. */
export interface Served {
  /** Answers a request without a socket. Jobs that wait for the acknowledgment run once the Response has resolved. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly listen: (at: ListenAt) => Promise<Listening>;
}

/** Thrown if a process listens, but cannot get its part of the accounts. */
export class JoinFailure extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

interface ServeOptions {
  readonly report: (fault: unknown) => void;
  /** Called with what a client sent that never becomes a request. Defaults to doing nothing. */
  readonly onUnreadable?: (unreadable: Unreadable) => void;
  /** Replaces the global Request and Response, which is faster, but only for a process that runs nothing but a sandbox. */
  readonly overrideGlobals?: boolean;
  /** Called when the first port is open, before callbacks are sent. */
  readonly join?: (at: Listening) => Promise<void>;
}

/** Serves an app on the ports that it is told to listen on, and to callers in this process. */
export function serveApp(app: Hono<GatewayEnv>, world: World, options: ServeOptions): Served {
  let joined: Promise<void> | undefined;
  const encode: EncodeRefusal = (code, description, hint) => {
    const { refusals, hints } = world.gateway;
    const body = encodeRefusal({ code, description, requestId: world.freshId() }, refusals);
    return { status: statusOf(code, world.gateway), body, hint: hints ? hint : undefined };
  };
  const { report, onUnreadable = () => {} } = options;
  return {
    fetch: (request) => fetchInProcess(app, request),
    listen: async (at) => {
      const listening = await listen(requestListener(app, world, options, at), at, { encode, report, onUnreadable });
      joined ??= options.join?.(listening);
      await joined?.catch(async (fault: unknown) => {
        await listening.close();
        throw new JoinFailure(fault);
      });
      // Callbacks wait until the port is open, because receivers may call back in.
      world.wake();
      return listening;
    },
  };
}

/**
 * Jobs that wait for an acknowledgment run after the caller awaiting the Response has resumed: one microtask later. A turn of the event
 * loop later would be too late, because an `advance` that follows could find work still waiting.
 */
async function fetchInProcess(app: Hono<GatewayEnv>, request: Request): Promise<Response> {
  const jobs: (() => void)[] = [];
  const { signal } = request;
  signal.throwIfAborted();
  try {
    const bindings: Bindings = { request, afterResponse: (job) => void jobs.push(job) };
    const response = await app.fetch(request, bindings);
    signal.throwIfAborted();
    return response;
  } catch (fault) {
    throw signal.aborted ? signal.reason : fault;
  } finally {
    // The first microtask runs just before the Response resolves, the one it queues just after.
    queueMicrotask(() => queueMicrotask(() => jobs.forEach((job) => job())));
  }
}

function requestListener(
  app: Hono<GatewayEnv>,
  world: World,
  { report, onUnreadable, overrideGlobals = false }: ServeOptions,
  { tls }: ListenAt,
): RequestListener {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: overrideGlobals,
    // Used for HTTP/1.0 requests, which may omit Host.
    hostname: "localhost",
    errorHandler: (fault) => {
      if (fault instanceof RequestError) {
        onUnreadable?.({ kind: "target", scheme: tls === undefined ? "http" : "https" });
        return refuseUnreadable(world.freshId(), world.gateway);
      }
      if (fault instanceof ConnectionBroken) return undefined;
      // Even the app's error handler could not answer.
      report(fault);
      return new Response(null, { status: 500 });
    },
  });
  return (incoming, outgoing) => {
    listener(incoming, outgoing).catch((fault: unknown) => {
      report(fault);
      outgoing.destroy();
    });
  };
}

/** Every open stream listens to this signal. With its default limit, Node would report the eleventh listener as a leak. */
export function controllerForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
