import { Agent, type IncomingMessage, request } from "node:http";
import * as z from "zod";
import { inCents } from "./books.ts";
import { readJson } from "../../src/control/client/control-client.ts";

/** How a backend reaches the gateway. */
export interface GatewayAccess {
  /** Without a slash at the end. */
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  /** How long an answer is waited for, in milliseconds of wall time. */
  readonly limit: number;
  readonly keepAlive: boolean;
}

/** What became of a request, as far as its sender can tell. */
export type Heard =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly retryAfter: number | undefined;
      readonly json: unknown;
    }
  | { readonly kind: "silence"; readonly why: string };

export interface GatewayLine {
  post(path: string, body: unknown): Promise<Heard>;
  /** What is available, in cents; undefined where nobody would say. */
  balance(): Promise<number | undefined>;
  close(): void;
}

/** The wire to the gateway. It judges nothing: an answer that is not JSON is one whose `json` is undefined. */
export function openLine(access: GatewayAccess): GatewayLine {
  const agent = new Agent({ keepAlive: access.keepAlive });
  const send = (method: string, path: string, body = ""): Promise<Heard> => hear({ access, agent, method, path, body });
  return {
    post: (path, body) => send("POST", path, JSON.stringify(body)),
    balance: async () => readBalance(await send("GET", "/api/v2/account-details")),
    close: () => agent.destroy(),
  };
}

interface Sent {
  readonly access: GatewayAccess;
  readonly agent: Agent;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

async function hear(sent: Sent): Promise<Heard> {
  try {
    const answer = await exchange(sent);
    const text = Buffer.concat(await answer.toArray()).toString();
    return {
      kind: "answer",
      status: answer.statusCode ?? 0,
      retryAfter: secondsOf(answer.headers["retry-after"]),
      json: readJson(text),
    };
  } catch (cause) {
    return { kind: "silence", why: String(cause) };
  }
}

function exchange({ access, agent, method, path, body }: Sent): Promise<IncomingMessage> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${access.key}:${access.secret}`).toString("base64")}`,
    "content-type": "application/json",
    ...(method === "POST" && { "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    request(`${access.gateway}${path}`, { method, headers, agent, signal: AbortSignal.timeout(access.limit) }, resolve)
      .on("error", reject)
      .end(body);
  });
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Section 2.5 of the gateway's document. */
const detailsForm = z.object({ organization: z.object({ details: z.object({ available_balance: z.number() }) }) });

function readBalance(heard: Heard): number | undefined {
  const read = detailsForm.safeParse(heard.kind === "answer" ? heard.json : undefined);
  return read.success ? inCents(read.data.organization.details.available_balance) : undefined;
}
