import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "./gateway/local-server.ts";

export interface PlayedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** In place of JSON. */
  readonly text?: string;
}

/** What the played sandbox answers, by "METHOD /path": the same each time, or as an actor decides; one that answers undefined did it itself. */
export type Play = Readonly<
  Record<string, PlayedAnswer | ((response: ServerResponse, body: unknown) => PlayedAnswer | undefined)>
>;

export interface PlayedCall {
  /** "POST /api/v2/airtime". */
  readonly call: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface PlayedSandbox extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly calls: PlayedCall[];
}

/** A real server on a free port that answers by a table: what a client says on the wire is seen without a sandbox. */
export async function playSandbox(play: Play): Promise<PlayedSandbox> {
  const calls: PlayedCall[] = [];
  const { port, close } = await listenLocally(createServer((request, response) => void act(request, response)));
  return { url: `http://127.0.0.1:${port}`, port, calls, [Symbol.asyncDispose]: close };

  async function act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const call = `${request.method} ${request.url}`;
    calls.push({ call, authorization: request.headers.authorization, body });
    const played = play[call] ?? {
      status: 404,
      json: { status: 404, problem: `nothing is played for ${call}`, repair: "play it" },
    };
    const answer = typeof played === "function" ? played(response, body) : played;
    if (answer !== undefined) write(response, answer);
  }
}

function write(response: ServerResponse, { status = 200, headers = {}, json, text }: PlayedAnswer): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(text ?? (json === undefined ? "" : JSON.stringify(json)));
}

/** A URL of this machine where nothing listens. */
export async function deserted(): Promise<string> {
  const { url, ...sandbox } = await playSandbox({});
  await sandbox[Symbol.asyncDispose]();
  return url;
}
