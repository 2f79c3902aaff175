import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, type FaultDesk } from "./answer-fault.ts";
import { ConnectionBroken } from "./breakage.ts";
import { endpointAt } from "./endpoints.ts";
import type { Call } from "./call.ts";
import { answerGateway, type GatewayOptions } from "./gateway.ts";
import type { Wire } from "./reply.ts";

export type SocketOptions = GatewayOptions & FaultDesk;

/**
 * Answers what clients of the gateway ordinarily send, straight from Node's request to Node's response: a framework's Request,
 * routing and Response in between cost as much as the acceptance itself. False for all else, which is left to the app.
 */
export function answerSocket(incoming: IncomingMessage, outgoing: ServerResponse, options: SocketOptions): boolean {
  const { url = "", method = "" } = incoming;
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (endpointAt(path)?.method !== method || !PLAIN_HOST.test(incoming.headers.host ?? "localhost")) return false;
  const header = (name: string): string | undefined => headerOf(incoming, name);
  answer({ env: { incoming, outgoing }, req: { method, path, url, header } }, outgoing, options).catch((fault: unknown) =>
    reportUnlessScripted(fault, options),
  );
  return true;
}

async function answer(call: Call, outgoing: ServerResponse, options: SocketOptions): Promise<void> {
  let wire: Wire;
  try {
    wire = await answerGateway(call, options);
  } catch (fault) {
    wire = answerFault(fault, options);
  }
  write(outgoing, wire);
}

/** A Host that makes a URL without a closer look. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-6]?\d{1,4})?$/;

/** All values of a header in the order in which they came (RFC 9110 section 5.3); of some names `incoming.headers` has but the first. */
function headerOf({ rawHeaders }: IncomingMessage, wanted: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    const one = rawHeaders[index + 1] ?? "";
    value = value === undefined ? one : `${value}, ${one}`;
  }
  return value;
}

function write(outgoing: ServerResponse, { status, headers, body }: Wire): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] ?? "");
  lines.push("content-length", String(Buffer.byteLength(body)));
  outgoing.writeHead(status, lines);
  outgoing.end(body);
}

/** What was to be sent on a connection that a scenario broke has been sent. */
function reportUnlessScripted(fault: unknown, { report }: FaultDesk): void {
  if (!(fault instanceof ConnectionBroken)) report(fault);
}
