import { Hono } from "hono";
import { encodeRefusal } from "../contract/acknowledgment.ts";
import { Refused } from "../domain/refusal.ts";
import type { AccountOwnership } from "../ports/account-ownership.ts";
import { NotTheOwner, StoreOutage } from "../ports/journal-store.ts";
import { ConnectionBroken } from "./respond.ts";
import { type GatewayOptions, routeGateway } from "./gateway.ts";
import { answerRefused } from "./refuse.ts";
import type { GatewayEnv } from "./connection.ts";
import { ClientGone } from "./read-body.ts";

export interface AppOptions extends GatewayOptions {
  /** Serves the control API; loaded on first use. */
  readonly control: (request: globalThis.Request) => Promise<Response>;
  /** Serves the dashboard; loaded on first use. */
  readonly page: (request: globalThis.Request) => Promise<Response>;
  /** Serves the metrics; the code that writes them is loaded on first use. */
  readonly metrics: (request: globalThis.Request) => Promise<Response>;
  /** The CA certificate that clients have to trust for HTTPS, as PEM text. */
  readonly ca?: string;
  /** Returns why events cannot be journalled at the moment, if they cannot. */
  readonly outage: () => Error | undefined;
  /** Which replica owns which account, if replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
}

/** Creates the app that serves everything of a sandbox over HTTP. */
export function createApp(options: AppOptions): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>();
  app.all("/__admin/*", (c) => options.control(c.req.raw));
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
      ? answerRefused(c, problem, options.world, options.exchanges).catch((fault: unknown) =>
          answerFault(fault, options),
        )
      : answerFault(problem, options),
  );
  return app;
}

/** RFC 8555 section 9.1. */
const PEM = "application/pem-certificate-chain";

/**
 * Returns a line for each replica with the number of its accounts, and lines for accounts that wait. Omits account names, which only users
 * of the control API may see.
 */
function describeReplicas(ownership: AccountOwnership): string[] {
  const replicas = ownership
    .replicas()
    .map(({ url, isSelf, accounts }) => `${url} owns ${counted(accounts.length)}${isSelf ? " (this replica)" : ""}`);
  const reasons = ownership.waiting().map(({ reason }) => reason);
  const waiting = [...new Set(reasons)].map(
    (reason) => `${counted(reasons.filter((one) => one === reason).length)} waiting: ${reason}`,
  );
  return [...replicas, ...waiting];
}

function counted(accounts: number): string {
  return `${accounts} ${accounts === 1 ? "account" : "accounts"}`;
}

/** Anything but a refusal is our bug: it is logged, and the response contains the report's id. A broken connection gets no response. */
function answerFault(fault: unknown, { report, world }: AppOptions): Response {
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
export function refuseUnreadable(requestId: string): Response {
  const body = encodeRefusal({ code: 400, description: "Bad Request.", requestId });
  return new Response(body, { status: 400, headers: { "content-type": "application/json" } });
}
