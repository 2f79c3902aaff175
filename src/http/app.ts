import { Hono } from "hono";
import type { World } from "../engine/world.ts";
import { ConnectionBroken } from "./breakage.ts";
import type { AppEnv, Call } from "./call.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { answerGateway, type GatewayOptions } from "./gateway.ts";
import { ClientGone } from "./read-body.ts";

export interface AppOptions extends GatewayOptions {
  /** Answers the control API and its reference; loaded when it is first called. */
  readonly control: (request: globalThis.Request, bindings: AppEnv["Bindings"]) => Promise<Response>;
  /** Answers the dashboard; loaded when it is first asked for. */
  readonly page: (request: globalThis.Request) => Promise<Response>;
  /** Answers the metrics; what writes them is loaded when they are first asked for. */
  readonly metrics: (request: globalThis.Request) => Promise<Response>;
  /** Writes a fault down and names the report. */
  readonly report: (fault: unknown) => string;
  /** The certificate that clients trust for HTTPS, as PEM text. */
  readonly ca?: string;
}

/** The whole HTTP side of a sandbox. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.all("/__admin/*", (call) => options.control(call.req.raw, call.env));
  app.on("GET", ["/docs", "/docs/*"], (call) => options.control(call.req.raw, call.env));
  app.get("/livez", (call) => call.text("live\n"));
  app.get("/readyz", (call) => call.text("ready\n"));
  app.get("/metrics", (call) => options.metrics(call.req.raw));
  const { ca } = options;
  if (ca !== undefined) app.get("/ca.pem", (call) => call.body(ca, 200, { "content-type": PEM }));
  app.on("GET", ["/", "/assets/*"], (call) => options.page(call.req.raw));
  app.on("OPTIONS", ["/", "/livez", "/readyz"], () => answerOptions("GET, HEAD, OPTIONS"));
  for (const [path, { allow }] of ENDPOINTS) app.options(path, () => answerOptions(allow));
  app.all("*", (call) => answerGateway(call, options));
  app.onError((fault, call) => answerFault(fault, call, options));
  return app;
}

/** RFC 8555 section 9.1. */
const PEM = "application/pem-certificate-chain";

function answerOptions(allow: string): Response {
  return new Response(null, { status: 204, headers: { allow } });
}

/** Anything that is not a refusal is a fault of the sandbox: the log has it, the answer names the report. */
function answerFault(fault: unknown, call: Call, { report, world }: { report: (fault: unknown) => string; world: World }): Response {
  if (fault instanceof ConnectionBroken) throw fault;
  if (fault instanceof ClientGone) return call.body(null, 400);
  const description = `Internal server error. Report ${report(fault)}.`;
  return call.json({ status_code: 500, description, request_id: world.freshId() }, 500);
}
