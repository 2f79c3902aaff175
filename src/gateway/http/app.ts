import { Hono } from "hono";
import { encodeRefusal } from "../contract/acknowledgment.ts";
import { Refused } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { NotTheOwner, StoreOutage } from "../ports/journal-store.ts";
import type { GatewayEnv } from "./bindings.ts";
import { ClientGone } from "./body.ts";
import { type GatewayDependencies, routeGateway } from "./gateway.ts";
import { statusOf } from "../account/wire.ts";
import { answerRefused } from "./answer-refused.ts";
import { ConnectionBroken } from "./respond.ts";

/** Creates the app that serves the gateway over HTTP, besides the routes that the given one has already. */
export function createApp(options: GatewayDependencies, app = new Hono<GatewayEnv>()): Hono<GatewayEnv> {
  routeGateway(app, options);
  app.onError((problem, c) =>
    problem instanceof Refused
      ? answerRefused(c.env, problem, options).catch((fault: unknown) => answerFault(fault, options))
      : answerFault(problem, options),
  );
  return app;
}

/** Anything but a refusal is our bug: it is logged, and the response contains the report's id. A broken connection gets no response. */
function answerFault(fault: unknown, { report, world }: GatewayDependencies): Response {
  if (fault instanceof ConnectionBroken || fault instanceof NotTheOwner) throw fault;
  if (fault instanceof ClientGone) return new Response("", { status: 400 });
  if (fault instanceof StoreOutage) {
    report(fault);
    const body = { status_code: 503, description: "Service Unavailable.", request_id: world.freshId() };
    return Response.json(body, { status: 503, headers: { "retry-after": "1" } });
  }
  const description = `Internal server error. Report ${report(fault)}.`;
  return Response.json({ status_code: 500, description, request_id: world.freshId() }, { status: 500 });
}

/** Refuses a request whose target and Host form no valid URL. It belongs to no account and is not journalled. */
export function refuseUnreadable(requestId: string, gateway: GatewaySettings): Response {
  const body = encodeRefusal({ code: 400, description: "Bad Request.", requestId }, gateway.refusals);
  return new Response(body, { status: statusOf(400, gateway), headers: { "content-type": "application/json" } });
}
