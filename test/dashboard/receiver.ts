import { createServer, type ServerResponse } from "node:http";
import { listenLocally } from "../support/gateway/local-server.ts";

/** An integrator's endpoint for callbacks. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** What came, oldest first. */
  readonly bodies: readonly string[];
  /** What it answers from now on. */
  answerWith(status: number): void;
  /** From now on requests get no answer until `release`. */
  hold(): void;
  release(): void;
}

function reply(answer: ServerResponse, status: number): void {
  answer
    .writeHead(status, { "content-type": "text/plain" })
    .end(status === 200 ? "OK" : "SQLSTATE[HY000]: database is locked");
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  let status = 200;
  let held: (() => void)[] | undefined;
  const server = createServer((asked, answer) => {
    let body = "";
    asked.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    asked.once("end", () => {
      bodies.push(body);
      if (held === undefined) reply(answer, status);
      else held.push(() => reply(answer, status));
    });
  });
  const { port, close } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hooks/kredo`,
    bodies,
    answerWith: (next) => void (status = next),
    hold: () => void (held ??= []),
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const reply of waiting) reply();
    },
    [Symbol.asyncDispose]: close,
  };
}
