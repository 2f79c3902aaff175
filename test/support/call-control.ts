import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Calls the control API over a socket. Not with fetch, which sets Host itself. */
export async function callControl(
  { port }: { readonly port: number },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const written = body === undefined ? undefined : JSON.stringify(body);
  const all = { ...headers, ...(written !== undefined && { "content-type": "application/json" }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = requestHttp({ port, host: "127.0.0.1", method, path, headers: all }, resolve);
    sent.on("error", reject).end(written);
  });
  const text = Buffer.concat(await response.toArray()).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
