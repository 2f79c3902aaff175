import { createServer, type RequestListener, type Server } from "node:http";
import { expect, test } from "vitest";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { KeptConnection } from "../../../src/verdict/application/kept-connection.ts";
import { Restarts } from "../../../src/verdict/trial/restarts.ts";
import { listenAgain, listenLocally } from "../../support/gateway/local-server.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { WALL_START } from "../../support/gateway/world.ts";
import { trialEnvironment } from "../../support/order-evidence.ts";

interface Restarted {
  readonly answer?: RequestListener;
  /** What the restart does at once. */
  readonly act?: (server: Server) => unknown;
  /** What it does this many seconds after it was answered. */
  readonly later?: (server: Server) => unknown;
  readonly after?: number;
}

/** Restarts an application once, or several times. Wall time passes only where Kredo pauses. */
async function restart({ answer = ok, act, later, after = 2 }: Restarted, times = 1) {
  const server = createServer((request, response) => answer(request, response));
  const { port, close } = await listenLocally(server);
  const clock = manualWallClock(WALL_START);
  const environment = trialEnvironment({
    clock,
    pause: async (wait) => {
      const before = clock.now() - WALL_START;
      clock.advance(wait);
      if (before < after * SECOND && clock.now() - WALL_START >= after * SECOND) await later?.(server);
    },
  });
  const connect = (): KeptConnection => new KeptConnection(`http://127.0.0.1:${port}/`);
  const application = {
    connect,
    act: async () => {
      await act?.(server);
      return undefined;
    },
    isListening: async () => server.listening,
  };
  const restarts = new Restarts({ application, environment });
  let downs = 0;
  for (let time = 0; time < times; time += 1) await restarts.restart(async () => void (downs += 1));
  await close();
  return { downs, seconds: Math.round((clock.now() - WALL_START) / SECOND) };
}

const ok: RequestListener = (_request, response) => response.end("ok");

/** Answers 502 from the third request on, as a proxy does whose application is gone. */
function goneAfterTwo(): RequestListener {
  let asked = 0;
  return (_request, response) => {
    asked += 1;
    response.writeHead(asked > 2 ? 502 : 200).end();
  };
}

const announced: RequestListener = (_request, response) => response.setHeader("connection", "close").end();
const alwaysGone: RequestListener = (_request, response) => response.writeHead(502).end();
const AT_ONCE = { downs: 1, seconds: 0 };
const slow: RequestListener = () => {};

test.each<[string, Restarted, { downs: number; seconds: number }]>([
  ["stops listening while it is restarted", { act: listenAgain }, AT_ONCE],
  ["stops listening two seconds after its answer", { later: listenAgain }, { downs: 1, seconds: 2 }],
  ["ends its connections, and is at once there again", { act: (server) => server.closeAllConnections() }, AT_ONCE],
  ["is gone behind a proxy", { answer: goneAfterTwo() }, AT_ONCE],
  ["goes on listening", {}, { downs: 0, seconds: 30 }],
  ["goes on behind a proxy that never finds it at /", { answer: alwaysGone }, { downs: 0, seconds: 30 }],
  ["ends each connection after its answer", { answer: announced }, { downs: 0, seconds: 30 }],
])("an application that %s", async (_what, restarted, expected) => {
  expect(await restart(restarted)).toEqual(expected);
});

test("an application that goes on listening is waited for once", async () => {
  expect(await restart({}, 3)).toEqual({ downs: 0, seconds: 30 });
});

test("an application that does not answer in time is busy, and not down", async () => {
  const server = createServer(slow);
  const { port, close } = await listenLocally(server);
  const connection = new KeptConnection(`http://127.0.0.1:${port}/`, 10);

  await connection.look();
  connection.close();
  await close();

  expect(connection.wasEnded).toBe(false);
});
