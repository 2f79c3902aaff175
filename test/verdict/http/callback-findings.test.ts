import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { findInJournal } from "../../../src/verdict/checks/findings.ts";
import { receiver } from "../../../src/verdict/checks/receiver.ts";
import { sendAirtime, sendMessage } from "../../support/gateway/gateway-client.ts";
import { type PlayedScenario, playShipped } from "../../support/gateway/shipped.ts";
import { failOn } from "../../support/finding-events.ts";

test.each<[string, string, readonly number[]]>([
  ["000", "one callback", [200]],
  ["302", "a repeat", [200, 200]],
  ["304", "an early callback", [200]],
  ["305", "a contradiction that is acknowledged", [200, 200]],
  ["305", "a contradiction that is refused", [200, 409]],
  ["306", "malformed JSON", [400]],
  ["307", "an unknown request_id that is acknowledged", [200]],
  ["307", "an unknown request_id that is refused", [404]],
  ["309", "a wrong content type", [415]],
])("%s: a sound receiver's answer to %s accuses it of nothing: %j", async (digits, _, statuses) => {
  await using played = await playShipped("magic-numbers", { answer: answering(statuses) });

  await sendAirtime(played, { phone_number: `254700000${digits}` });
  await played.advance(7_200);

  expect(played.receiver.requests).toHaveLength(statuses.length);
  expect(await found(played)).toEqual([]);
});

test.each<[string, readonly number[], readonly string[]]>([
  ["000", [204], ["callback-not-acknowledged"]],
  ["000", [302], ["callback-redirected"]],
  ["000", [429], ["callback-rate-limited"]],
  ["302", [200, 409], ["callback-answered-differently"]],
  ["302", [200, 500], ["callback-answered-differently", "callback-not-acknowledged"]],
  ["305", [200, 500], ["callback-not-acknowledged"]],
  ["306", [500], ["fails-on-malformed"]],
  ["307", [500], ["fails-on-unknown-request-id"]],
  ["309", [500], ["fails-on-malformed"]],
])("%s: answers of %j are found out, and nothing else", async (digits, statuses, ids) => {
  await using played = await playShipped("magic-numbers", { answer: answering(statuses) });

  await sendAirtime(played, { phone_number: `254700000${digits}` });
  await played.advance(7_200);

  expect(await found(played)).toEqual(ids);
});

test.each([404, 500])(
  "304: answers of %i are reported at once, and explained once the receiver has taken another callback",
  async (status) => {
    await using played = await playShipped("magic-numbers", { answer: answering([status, 200]) });
    await sendAirtime(played, { phone_number: "254700000304" });
    await played.advance(60);
    const before = await found(played);

    await sendAirtime(played, { phone_number: "254700000000" });
    await played.advance(60);

    expect(before).toEqual(["callback-not-acknowledged"]);
    expect(await found(played)).toEqual([...before, "fails-on-early-callback"]);
  },
);

test("a receiver that is gone is found unreachable", async () => {
  await using played = await playShipped("magic-numbers", { answer: (request) => request.socket.destroy() });

  await sendMessage(played);
  await played.advance(60);

  expect(await found(played)).toEqual(["callback-unreachable"]);
});

/** A receiver that answers one callback after another with these codes. */
function answering(statuses: readonly number[]): RequestListener {
  const left = [...statuses];
  return (_request, response) => {
    const status = left.shift() ?? 200;
    response.writeHead(status, status === 302 ? { location: "/login" } : {}).end();
  };
}

/** The ids of what was found in the account's journal, in the order of the alphabet. */
async function found({ account }: PlayedScenario): Promise<string[]> {
  return findInJournal(account.journal.read(), { watchers: [receiver], report: failOn })
    .map(({ id }) => id)
    .toSorted();
}
