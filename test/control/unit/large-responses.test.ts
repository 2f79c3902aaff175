import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { LargeResponses, type ResponseReceiver } from "../../../src/control/large-responses.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";

/** The server's end of a connection. `stall` is what Node calls when the client has read nothing for as long as was set. */
class Connection extends EventEmitter implements ResponseReceiver {
  destroyed = false;
  stall = (): void => {};
  limit = 0;

  setTimeout(millis: number, stalled: () => void): this {
    [this.limit, this.stall] = [millis, stalled];
    return this;
  }

  destroy(): this {
    this.destroyed = true;
    this.emit("close");
    return this;
  }
}

test("a large response waits until the client before has received its own", async () => {
  const { responses, read, log } = newResponses();
  const [first, second] = [new Connection(), new Connection()];

  const answers = [responses.answer(first, read("first")), responses.answer(second, read("second"))];
  await answers[0];
  await allReady();
  const before = [...log];
  first.emit("close");
  await answers[1];

  expect({ before, after: log }).toEqual({ before: ["first"], after: ["first", "second"] });
});

test("a client that reads nothing for five seconds loses its connection to those who wait", async () => {
  const { responses, read, log } = newResponses();
  const [idle, second] = [new Connection(), new Connection()];
  await responses.answer(idle, read("idle"));
  const answer = responses.answer(second, read("second"));
  await allReady();

  idle.stall();
  await answer;

  expect({ limit: idle.limit, isClosed: idle.destroyed, log }).toEqual({
    limit: 5_000,
    isClosed: true,
    log: ["idle", "second"],
  });
});

test("nothing is read for a client that left while it waited, and a fault delays nobody", async () => {
  const { responses, read, log } = newResponses();
  const [first, gone] = [new Connection(), new Connection()];
  const fault = responses.answer(first, () => Promise.reject(new Error("no such account")));
  const answers = [responses.answer(gone, read("gone")), responses.answer(undefined, read("in process"))];
  gone.destroy();

  await expect(fault).rejects.toThrow("no such account");
  await Promise.all(answers);

  expect(log).toEqual(["in process"]);
});

function newResponses() {
  const log: string[] = [];
  const read = (name: string) => async (): Promise<Response> => {
    log.push(name);
    return new Response(name);
  };
  return { responses: new LargeResponses(manualWallClock(0)), read, log };
}
