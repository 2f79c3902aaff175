import { once } from "node:events";
import { createServer, Socket } from "node:net";
import pg from "pg";

/** A connection pooler in transaction mode: each transaction gets a session that is free, the one used last first, as PgBouncer does it. */
export interface Pooler extends AsyncDisposable {
  readonly port: number;
}

export async function startTransactionPooler(url: string): Promise<Pooler> {
  const all = new Set<Socket>();
  const free: Socket[] = [];
  const take = async (): Promise<Socket> => free.pop() ?? (await openSession(url, all));
  const server = createServer((client) => {
    all.add(client.on("error", () => {}));
    client.once("data", () => {
      client.write(WELCOME);
      let session: Promise<Socket> | undefined;
      const giveBack = (used: Socket): void => {
        session = undefined;
        used.removeAllListeners("data");
        free.push(used);
      };
      const begin = async (): Promise<Socket> => {
        const used = await take();
        used.on("data", (chunk: Buffer) => {
          const isOver = chunk.subarray(-READY.length).equals(READY);
          if (isOver) giveBack(used);
          if (client.writable) client.write(chunk);
        });
        return used;
      };
      client.on("data", (chunk: Buffer) => {
        if (chunk[0] === TERMINATE) return void client.end();
        session ??= begin();
        void session.then((used) => used.write(chunk));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of all) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** AuthenticationOk, and ReadyForQuery outside a transaction (postgresql.org/docs/15, section 55.7). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const WELCOME = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), READY]);
const TERMINATE = 0x58;

/** Lets the library authenticate, and takes its socket. */
async function openSession(url: string, all: Set<Socket>): Promise<Socket> {
  const client = new pg.Client(url);
  await client.connect();
  const connection: unknown = Reflect.get(client, "connection");
  const stream: unknown = Reflect.get(Object(connection), "stream");
  if (!(stream instanceof Socket)) throw new Error("pg keeps its socket elsewhere now");
  stream.removeAllListeners();
  stream.on("error", () => {});
  all.add(stream);
  return stream;
}
