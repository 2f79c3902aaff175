import { Hono } from "hono";
import { encodeRefusal } from "../contract/acknowledgment.ts";
import { Refused } from "../domain/refusal.ts";
import { type AccountOwnership, Unowned } from "../ports/account-ownership.ts";
import { NotTheOwner, StoreOutage } from "../ports/journal-store.ts";
import { ConnectionBroken } from "./respond.ts";
import { type GatewayOptions, routeGateway } from "./gateway.ts";
import type { GatewayEnv } from "./gateway-request.ts";
import { refuse } from "./refuse.ts";
import { describeReplicas } from "./describe-replicas.ts";
import { ClientGone } from "./read-body.ts";

export interface AppOptions extends GatewayOptions {
  /** Answers the control API and its reference; loaded when it is first called. */
  readonly control: (request: globalThis.Request) => Promise<Response>;
  /** Answers the dashboard; loaded when it is first asked for. */
  readonly page: (request: globalThis.Request) => Promise<Response>;
  /** Answers the metrics; what writes them is loaded when they are first asked for. */
  readonly metrics: (request: globalThis.Request) => Promise<Response>;
  /** The certificate that clients trust for HTTPS, as PEM text. */
  readonly ca?: string;
  /** Why nothing can be journalled for now. */
  readonly outage: () => Error | undefined;
  /** Who owns which account, where replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
}

/** The whole HTTP side of a sandbox. */
export function createApp(options: AppOptions): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>();
  app.all("/__admin/*", (c) => options.control(c.req.raw));
  app.on("GET", ["/docs", "/docs/*"], (c) => options.control(c.req.raw));
  app.get("/livez", (c) => c.text("live\n"));
  app.get("/readyz", (c) => {
    const outage = options.outage();
    const replicas = options.ownership === undefined ? [] : describeReplicas(options.ownership);
    return outage === undefined ? c.text(["ready", ...replicas, ""].join("\n")) : c.text(`${outage.message}\n`, 503);
  });
  app.get("/metrics", (c) => options.metrics(c.req.raw));
  const { ca } = options;
  if (ca !== undefined) app.get("/ca.pem", (c) => c.body(ca, 200, { "content-type": PEM }));
  app.on("GET", ["/", "/favicon.ico", "/assets/*"], (c) => options.page(c.req.raw));
  app.on("OPTIONS", ["/", "/livez", "/readyz"], (c) => c.body(null, 204, { allow: "GET, HEAD, OPTIONS" }));
  routeGateway(app, options);
  app.onError((problem, c) =>
    problem instanceof Refused
      ? refuse(c, problem, options).catch((fault: unknown) => answerFault(fault, options))
      : answerFault(problem, options),
  );
  return app;
}

/** RFC 8555 section 9.1. */
const PEM = "application/pem-certificate-chain";

/** Anything that is not a refusal is our fault: the log has it, the answer names the report. A broken connection has no answer. */
function answerFault(fault: unknown, { report, world }: AppOptions): Response {
  if (fault instanceof ConnectionBroken || fault instanceof NotTheOwner) throw fault;
  if (fault instanceof ClientGone) return new Response("", { status: 400 });
  if (fault instanceof StoreOutage) {
    if (!(fault instanceof Unowned)) report(fault);
    const body = { status_code: 503, description: "Service Unavailable.", request_id: world.freshId() };
    return Response.json(body, { status: 503, headers: { "retry-after": "1" } });
  }
  const description = `Internal server error. Report ${report(fault)}.`;
  return Response.json({ status_code: 500, description, request_id: world.freshId() }, { status: 500 });
}

/** Answers a request whose target and Host make no URL: it is for no account, and is not journalled. */
export function refuseUnreadable(requestId: string): Response {
  const body = encodeRefusal({ code: 400, description: "Bad Request.", requestId });
  return new Response(body, { status: 400, headers: { "content-type": "application/json" } });
}
