import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that writes exactly the bytes it is told to, in the packets it is told to. */
export class RawClient implements AsyncDisposable {
  readonly socket: Socket;
  #received = "";
  #hasEnded = false;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => {});
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** Writes each packet by itself; the other side has read one before the next one goes. */
  async send(...packets: readonly (string | Uint8Array)[]): Promise<void> {
    for (const packet of packets) {
      await new Promise<void>((resolve) => void this.socket.write(packet, () => resolve()));
      await turns(3);
    }
  }

  /** Reads the next answer; `head` is one without a body. */
  async read(kind: "whole" | "head" = "whole"): Promise<RawAnswer> {
    this.#listen();
    for (;;) {
      const found = parseAnswer(this.#received, kind === "head" || this.#hasEnded);
      if (found !== undefined) {
        this.#received = found.rest;
        return found.answer;
      }
      if (this.#hasEnded) throw new Error(`the connection ended with ${JSON.stringify(this.#received)}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** All that comes until the other side closes the connection. */
  async readToEnd(): Promise<string> {
    this.#listen();
    while (!this.#hasEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#received;
  }

  /** Goes away as a killed process does: with RST. */
  async reset(): Promise<void> {
    this.socket.resetAndDestroy();
    await turns(3);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
  }

  #listen(): void {
    if (this.socket.listenerCount("data") > 0) return;
    this.socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
      this.#wake();
    });
    this.socket.on("close", () => this.#end());
    this.socket.on("end", () => this.#end());
    if (this.socket.destroyed) this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}

/** Sends bytes over an open connection; answers what came back until it ended, and how it ended. */
export function exchangeBytes(socket: Socket, sent: string): Promise<{ bytes: string; ending: unknown }> {
  const chunks: Buffer[] = [];
  const bytes = (): string => Buffer.concat(chunks).toString("latin1");
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    socket.once("error", ({ code }: Error & { code?: string }) => resolve({ bytes: bytes(), ending: code }));
    socket.once("end", () => resolve({ bytes: bytes(), ending: "end" }));
    socket.write(sent);
  });
}

/** Lets the event loop go round: what has been written on this machine is read meanwhile. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function parseAnswer(received: string, isWithoutBody: boolean): { answer: RawAnswer; rest: string } | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.replace(/^[^:]*: */, "")]),
  );
  const rest = received.slice(end + 4);
  const length = isWithoutBody || status < 200 || status === 204 ? 0 : Number(headers["content-length"] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${received}`);
  if (rest.length < length) return undefined;
  const body = Buffer.from(rest.slice(0, length), "latin1").toString();
  return { answer: { status, headers, body }, rest: rest.slice(length) };
}
