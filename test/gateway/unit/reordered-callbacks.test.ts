import { expect, test } from "vitest";
import type { Advanced } from "../../../src/gateway/engine/advance.ts";
import { resend, settleNow } from "../../../src/gateway/engine/commands.ts";
import { retrying } from "../../support/gateway/steps.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime, type TestWorld, type TestWorldOptions, WALL_START } from "../../support/gateway/world.ts";

const LATE = "254733000001";

test("a retry of an earlier callback is not one that has gone first", async () => {
  const { account } = await lateBy(1, { account: { callbacks: retrying(2) }, answer: () => ({ kind: "reset" }) });
  const before = buyAirtime(account, 10).requestId;
  const late = buyAirtime(account, 10, LATE).requestId;

  const advanced = await account.advance({ by: 6_000 }, 1_000);

  expect(told(advanced)).toEqual([
    [before, 1_000],
    [before, 1_500],
    [late, 6_000],
  ]);
});

test("a callback that waited 5 s in vain is no later one for another that waits", async () => {
  const { account } = await lateBy(1);
  const first = buyAirtime(account, 10, LATE).requestId;
  await account.advance({ by: 100 }, 0);
  const second = buyAirtime(account, 20, LATE).requestId;

  const advanced = await account.advance({ by: 60_000 }, 1_000);

  expect(told(advanced)).toEqual([
    [first, 6_000],
    [second, 6_100],
  ]);
});

test("a callback whose result is settled by hand waits for later ones all the same, and its resend does not", async () => {
  const { account, sent } = await lateBy(1);
  const { requestId } = buyAirtime(account, 10, LATE);
  settleNow(account, requestId, undefined);
  const early = sent.length;
  await account.advance({ by: 5_000 }, 1_000);
  resend(account, [requestId]);

  await account.advance({ by: 0 }, 1_000);

  expect({ early, sent: sent.length, pending: account.state.pending }).toEqual({ early: 0, sent: 2, pending: 0 });
});

test.each([
  ["follows the first one whose turn is later", "", 1_100],
  ["waits in vain if no turn is later", ", delay: 500ms", 6_500],
])("a callback that lets one go first %s", async (_what, more, at) => {
  const changes = `phone_number: "${LATE}" }, then: { callback: { reorder: 1${more} }`;
  const { account } = await scriptedWorld(rule(`when: { ${changes} }`));
  const late = buyAirtime(account, 10, LATE).requestId;
  await account.advance({ by: 100 }, 0);
  const other = buyAirtime(account, 10).requestId;

  const advanced = await account.advance({ by: 60_000 }, 1_000);

  expect(told(advanced)).toEqual([
    [other, 1_100],
    [late, at],
  ]);
});

/** A world in which callbacks to one number let so many later ones go first. */
function lateBy(reorder: number, options: TestWorldOptions = {}): Promise<TestWorld> {
  return scriptedWorld(rule(`when: { phone_number: "${LATE}" }, then: { callback: { reorder: ${reorder} } }`), options);
}

/** Which requests were called back, and how long after the start. */
function told({ fired }: Advanced): [string, number][] {
  return fired.map(({ requestId, at }) => [requestId, at - WALL_START]);
}
