import { createServer } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { streamRequest } from "../../../src/cli/client/send-request.ts";
import { listenLocally } from "../../support/gateway/local-server.ts";

test("a stream ends with its signal, also after its request has been garbage-collected", async () => {
  const { port, close } = await listenLocally(createServer((_request, response) => void response.write(": hello\n\n")));
  const { signal, abort } = abortable();
  const answer = await streamRequest(new Request(`http://127.0.0.1:${port}`, { signal }), signal);
  const ended = answer.text().then(
    () => "ended",
    () => "aborted",
  );
  await collectGarbage();

  abort();

  expect(await ended).toBe("aborted");
  await close();
});

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await turn();
  collect();
  await turn();
  collect();
}
