import { Hono } from "hono";
import { answerFault } from "./answer-fault.ts";
import type { SocketOptions } from "./answer-socket.ts";
import type { AppEnv } from "./call.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { answerGateway } from "./gateway.ts";
import type { Wire } from "./reply.ts";

export interface AppOptions extends SocketOptions {
  /** Answers the control API and its reference; loaded when it is first called. */
  readonly control: (request: globalThis.Request, bindings: AppEnv["Bindings"]) => Promise<Response>;
  /** Answers the dashboard; loaded when it is first asked for. */
  readonly page: (request: globalThis.Request) => Promise<Response>;
  /** Answers the metrics; what writes them is loaded when they are first asked for. */
  readonly metrics: (request: globalThis.Request) => Promise<Response>;
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
  app.all("*", async (call) => inWebTerms(await answerGateway(call, options)));
  app.onError((fault) => inWebTerms(answerFault(fault, options)));
  return app;
}

/** RFC 8555 section 9.1. */
const PEM = "application/pem-certificate-chain";

function answerOptions(allow: string): Response {
  return new Response(null, { status: 204, headers: { allow } });
}

function inWebTerms({ status, headers, body }: Wire): Response {
  return new Response(body, { status, headers });
}
