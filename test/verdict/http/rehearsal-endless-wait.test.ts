import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { manualWallClock } from "../../support/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { openShell } from "../../backends/http-shell.ts";
import { failures, type Outcome, rehearseTexts } from "../../support/rehearse.ts";
import { AUTHORIZATION, startTestSandbox } from "../../support/sandbox.ts";
import { WALL_START } from "../../support/world.ts";

const HANGING = `version: 1
name: hanging
clock: manual
scenario: { version: 1, name: hangs, rules: [{ name: never answers, when: { amount: "100" }, then: { connection: hang_after_accept } }] }
`;

test("an order whose client has no limit is one failed check, which says so", async () => {
  const outcome = await rehearseEndless(`${HANGING}drive: [{ order: airtime }, { advance: all }]\n`);

  expect(failures(outcome)).toEqual([
    expect.stringMatching(/^the application waits for the gateway without a timeout .* Set a timeout/),
  ]);
  expect(outcome.printed).not.toContain("turns");
  expect(outcome.exitCode).toBe(1);
});

test("a request whose client has no limit is one failed check, without an app map", async () => {
  const step = '{ request: { url: "{app}/orders", json: { phone_number: "254712345678", amount: "100" } } }';

  const outcome = await rehearseEndless(`${HANGING}drive: [${step}, { advance: all }]\n`);

  expect(failures(outcome)).toEqual([
    "waits-forever: 32.0 s after its request, the client is still waiting for an answer that never comes.",
  ]);
  expect(outcome.exitCode).toBe(1);
});

const MAP = `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "100" } } } }
callbacks: { airtime: "{app}/hooks" }
`;

/** Times as fast as the wall, so that half a minute takes a second. */
const SPEED = 200;

/** An application that calls the gateway in the background, and waits for its answer without a limit. Wall time passes where Kredo pauses. */
async function rehearseEndless(text: string): Promise<Outcome> {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestSandbox({}, { wall, pause: pauseOn(wall) });
  const url = `http://127.0.0.1:${sandbox.port}`;
  const leave = new AbortController();
  await using shop = await openShell(
    0,
    {
      "POST /orders": ({ text: body }) => {
        const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
        fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body, signal: leave.signal }).catch(() => {});
        return { status: 201 };
      },
      "POST /hooks": () => ({ status: 200 }),
    },
    () => {},
  );
  const pause = async (wait: number): Promise<void> => {
    wall.advance(wait * SPEED);
    await setImmediate();
  };
  try {
    return await rehearseTexts([text], {
      map: MAP,
      time: { clock: wall, pause },
      flags: ["--url", url, "--app", shop.url],
    });
  } finally {
    leave.abort();
  }
}
