import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listenLocally } from "../support/gateway/local-server.ts";

/** A proxy between browser and sandbox, whose cable can be pulled. */
export interface CuttableProxy extends AsyncDisposable {
  readonly url: string;
  /** Streams of events that are open through it. */
  openStreams(): number;
  /** How often an account's stream was asked to go on, and after which event. */
  readonly resumedAfter: readonly number[];
  /** Breaks every connection; new ones break, too, until it is mended. */
  cut(): void;
  mend(): void;
  /** Lets the requests through that were held. */
  release(): void;
}

export async function startCuttableProxy(
  to: string,
  isHeld: (asked: IncomingMessage) => boolean = () => false,
): Promise<CuttableProxy> {
  let held: (() => void)[] | undefined = [];
  const streams = new Set<ServerResponse>();
  const resumedAfter: number[] = [];
  let isCut = false;
  const server = createServer((asked, answer) => {
    if (isStream(asked)) keepWhileOpen(streams, answer);
    const { "last-event-id": last } = asked.headers;
    if (last !== undefined && asked.url?.includes("/accounts/")) resumedAfter.push(Number(last));
    if (held !== undefined && isHeld(asked)) held.push(() => passOn(to, asked, answer));
    else passOn(to, asked, answer);
  });
  server.on("connection", (socket) => void (isCut && socket.destroy()));
  const { port, close } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    resumedAfter,
    openStreams: () => streams.size,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend: () => void (isCut = false),
    release() {
      held?.forEach((pass) => pass());
      held = undefined;
    },
    [Symbol.asyncDispose]: close,
  };
}

function isStream({ url = "" }: IncomingMessage): boolean {
  return new URL(url, "http://way.test").pathname.endsWith("/events");
}

function keepWhileOpen(streams: Set<ServerResponse>, answer: ServerResponse): void {
  streams.add(answer);
  answer.once("close", () => streams.delete(answer));
}

function passOn(to: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, url = "", headers } = asked;
  const onward = request(new URL(url, to), { method, headers }, (said) => {
    answer.writeHead(said.statusCode ?? 502, said.headers);
    answer.flushHeaders();
    said.pipe(answer);
    said.once("error", () => answer.destroy());
  });
  answer.once("close", () => onward.destroy());
  onward.once("error", () => answer.destroy());
  asked.pipe(onward);
}
