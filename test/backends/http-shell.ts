import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenAgain, listenLocally } from "../support/gateway/local-server.ts";

export interface RouteRequest {
  /** What stands in the path where the route has `:id`. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly text: string;
}

export interface RouteAnswer {
  /** 0 ends the connection without an answer. */
  readonly status: number;
  readonly json?: unknown;
  /** In place of JSON. */
  readonly csv?: string;
}

/** What answers, by "METHOD /path/:id"; the first that fits. One that throws answers 500. */
export type Routes = Readonly<Record<string, (asked: RouteRequest) => RouteAnswer | Promise<RouteAnswer>>>;

/** A backend that runs. */
export interface Backend extends AsyncDisposable {
  readonly url: string;
  /** Goes down for a moment. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; `port` 0 takes a free one. `stop` ends what the backend does beside answering. */
export async function openShell(port: number, routes: Routes, stop: () => void): Promise<Backend> {
  const server = createServer((request, response) => void answer(routes, request, response));
  const listening = await listenLocally(server, port);
  const close = async (): Promise<void> => {
    stop();
    await listening.close();
  };
  const url = `http://127.0.0.1:${listening.port}`;
  return { url, restart: () => listenAgain(server), close, [Symbol.asyncDispose]: close };
}

async function answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const told = await ask(routes, request).catch((fault: unknown) => ({
    status: 500,
    json: { problem: String(fault) },
  }));
  write(response, told);
}

async function ask(routes: Routes, request: IncomingMessage): Promise<RouteAnswer> {
  const text = Buffer.concat(await request.toArray()).toString();
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://backend");
  for (const [route, tell] of Object.entries(routes)) {
    const id = fit(route, `${request.method} ${pathname}`);
    if (id !== undefined) return tell({ id, query, text });
  }
  return { status: 404, json: { problem: `${request.method} ${pathname} is not here` } };
}

/** The id in the path, "" where the route has none, undefined where the route does not fit. */
function fit(route: string, call: string): string | undefined {
  const [before = "", after] = route.split(":id");
  if (after === undefined) return call === route ? "" : undefined;
  return call.startsWith(before) && call.length > before.length
    ? decodeURIComponent(call.slice(before.length))
    : undefined;
}

function write(response: ServerResponse, { status, json, csv }: RouteAnswer): void {
  if (status === 0) return void response.destroy();
  response.writeHead(status, { "content-type": csv === undefined ? "application/json" : "text/csv" });
  response.end(csv ?? JSON.stringify(json ?? {}));
}
