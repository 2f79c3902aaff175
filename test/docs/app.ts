import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "../support/gateway/local-server.ts";
import type { Backend } from "../backends/http-shell.ts";
import { startSoundBackend } from "../backends/sound.ts";

/** The application of a page. */
export interface App {
  close(): Promise<void>;
}

interface Place {
  readonly port: number;
  readonly gateway: string;
}

/** Starts what a page calls its application: a sound backend, or receivers. */
export async function startApp(kind: string | undefined, { port, gateway }: Place): Promise<App | undefined> {
  const access = { port, gateway, key: "sandbox-key", secret: "sandbox-secret" };
  if (kind === "sound") return startBehindDoor(port, await startSoundBackend({ ...access, port: 0, backOff: 100 }));
  if (kind === "receivers") return startReceivers(port);
  if (kind !== undefined) throw new Error(`there is no application called ${kind}`);
  return undefined;
}

/** What each path answers to a callback. */
const RECEIVERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/hooks": (response) => void response.writeHead(200).end("ok"),
  "/hooks/airtime": (response) => void response.writeHead(200).end("ok"),
  "/hooks/sms": (response) => void response.writeHead(200).end("ok"),
  "/laravel": (response) =>
    void response.writeHead(419, { "content-type": "text/html" }).end("<title>Page Expired</title>"),
};

function startReceivers(port: number): Promise<App> {
  const server = createServer((request, response) => {
    const answer = RECEIVERS[request.url?.split("?")[0] ?? ""];
    request.resume().once("end", () => (answer === undefined ? response.writeHead(404).end() : answer(response)));
  });
  return listenLocally(server, port);
}

/** Lets callbacks in whose URL is a page's own, and hands on the rest: the backend takes those of a rehearsal alone. */
async function startBehindDoor(port: number, backend: Backend): Promise<App> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "/";
    const body = Buffer.concat(await request.toArray());
    if (path.startsWith("/hooks") && !path.endsWith("token=rehearsal")) return void response.writeHead(200).end("ok");
    const { method = "GET" } = request;
    const answer = await fetch(`${backend.url}${path}`, { method, ...(method !== "GET" && { body }) });
    response
      .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
      .end(await answer.text());
  };
  const server = createServer((request, response) => void pass(request, response));
  const door = await listenLocally(server, port);
  return {
    async close() {
      await door.close();
      await backend.close();
    },
  };
}
