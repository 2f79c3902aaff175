import { Hono } from "hono";
import type { Bindings, GatewayEnv } from "./gateway/http/bindings.ts";
import type { AccountOwnership } from "./storage/journal/account-ownership.ts";
import { counted } from "./gateway/domain/counted.ts";

interface RouteOptions {
  /** Serves the control API; loaded on first use. */
  readonly control: (request: Request, bindings: Bindings) => Promise<Response>;
  /** Serves the dashboard; loaded on first use. */
  readonly page: (request: Request) => Promise<Response>;
  /** Serves the metrics; the code that writes them is loaded on first use. */
  readonly metrics: (request: Request) => Promise<Response>;
  /** The CA certificate that clients have to trust for HTTPS, as PEM text. */
  readonly ca?: string;
  /** Returns why events cannot be journalled at the moment, if they cannot. */
  readonly outage: () => Error | undefined;
  /** Which replica owns which account, if replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
}

/** Routes everything that a sandbox serves besides the gateway's endpoints. */
export function sandboxRoutes({ control, page, metrics, ca, outage, ownership }: RouteOptions): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>();
  app.all("/__admin/*", (c) => control(c.req.raw, c.env));
  app.get("/livez", (c) => c.text("live\n"));
  app.get("/readyz", (c) => {
    const problem = outage();
    const replicas = ownership === undefined ? [] : describeReplicas(ownership);
    return problem === undefined ? c.text(["ready", ...replicas, ""].join("\n")) : c.text(`${problem.message}\n`, 503);
  });
  app.get("/metrics", (c) => metrics(c.req.raw));
  if (ca !== undefined) app.get("/ca.pem", (c) => c.body(ca, 200, { "content-type": PEM }));
  app.on("GET", ["/", "/favicon.ico", "/assets/*"], (c) => page(c.req.raw));
  app.on("OPTIONS", ["/", "/livez", "/readyz"], (c) => c.body(null, 204, { allow: "GET, HEAD, OPTIONS" }));
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
    .map(
      ({ url, isSelf, accounts }) =>
        `${url} owns ${counted(accounts.length, "account")}${isSelf ? " (this replica)" : ""}`,
    );
  const reasons = ownership.waiting().map(({ reason }) => reason);
  const waiting = [...new Set(reasons)].map(
    (reason) => `${counted(reasons.filter((one) => one === reason).length, "account")} waiting: ${reason}`,
  );
  return [...replicas, ...waiting];
}
