import { expect, test } from "vitest";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { resend, beginScenarios, setRule } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { rule, scriptedWorld, stateOf } from "../../support/gateway/scripted.ts";
import { buyAirtime, type TestWorld } from "../../support/gateway/world.ts";

function bodies({ sent }: TestWorld): Record<string, unknown>[] {
  return sent.map(({ body }) => JSON.parse(body));
}

test("a scripted charge is capped by what can be paid, and the excess is reported", async () => {
  const world = await scriptedWorld(
    `setup: { wallet: { balance: "20.00" } }\n${rule('then: { result: { charge: "500" } }')}`,
  );
  const { requestId } = buyAirtime(world.account, 10);

  await world.account.advance({ by: 1_000 }, 0);
  const transaction = world.account.state.transactions.get(requestId);
  const lines =
    transaction &&
    readTimeline(transaction, world.account.journal.read().events, { limit: 3_000 }).map(({ text }) => text);

  expect(bodies(world)).toMatchObject([{ charge: 20, account_balance: 0 }]);
  expect(lines?.[1]).toContain("KES 480.00 more could not be paid");
});

test("stuck transactions evict neither the journal's events nor an order that has just settled", async () => {
  const { account } = await scriptedWorld(rule("when: { amount: 10 }, then: { result: { stuck: true } }"), {
    bounds: { max_transactions: 400 },
    account: { balance: cents(10_000_000) },
  });
  for (const shillings of Array.from({ length: 700 }, () => 10)) buyAirtime(account, shillings);

  const plain = buyAirtime(account, 11);
  await account.advance({ by: 1_000 }, 0);

  const kept = account.journal.read().events.filter(({ kind }) => kind === "accepted").length;
  expect({ kept, plain: stateOf(account, plain.requestId), stuck: account.state.stuck }).toEqual({
    kept: expect.toSatisfy((accepted: number) => accepted >= 400),
    plain: "succeeded",
    stuck: 700,
  });
});

test("a resend reports the truth, whatever the scenario did", async () => {
  const world = await scriptedWorld(
    rule("then: { callback: { malformed: true, wrong_content_type: true, unknown_id: true } }"),
  );
  const { requestId } = buyAirtime(world.account, 10);
  await world.account.advance({ by: 1_000 }, 0);

  resend(world.account, [requestId]);
  await world.account.advance({ by: 1_000 }, 0);

  expect(world.sent.map(({ headers }) => headers["content-type"])).toEqual(["text/plain", "application/json"]);
  expect(() => JSON.parse(world.sent[0]?.body ?? "")).toThrow(SyntaxError);
  expect(JSON.parse(world.sent[1]?.body ?? "")).toMatchObject({ request_id: requestId });
});

test("a rule that is switched off does not fire until it is switched on", async () => {
  const { account } = await scriptedWorld(rule("then: { refuse: 403 }"));

  setRule(account, { scenario: "s", rule: "r", is: "off" });
  const off = attempt(() => buyAirtime(account, 10));
  setRule(account, { scenario: "s", rule: "r", is: "on" });

  expect({ off, attempt: attempt(() => buyAirtime(account, 10)) }).toEqual({ off: undefined, attempt: 403 });
});

/** The code of a refusal. */
function attempt(sale: () => unknown): unknown {
  try {
    sale();
    return undefined;
  } catch (refusal) {
    return refusal instanceof Error && "code" in refusal ? refusal.code : refusal;
  }
}

test("stuck transactions and waiting callbacks outlive the eviction of their events", async () => {
  const { account } = await scriptedWorld(
    `rules:
  - { name: stuck, when: { amount: 10 }, then: { result: { stuck: true } } }
  - { name: late, when: { amount: 11 }, then: { callback: { delay: 1h, reorder: 400 } } }
`,
    { bounds: { max_transactions: 1 } },
  );
  const [stuck, late] = [buyAirtime(account, 10), buyAirtime(account, 11)];

  for (const shillings of Array.from({ length: 300 }, () => 5)) {
    buyAirtime(account, shillings);
    await account.advance({ by: 1_000 }, 0);
  }

  const { events } = account.journal.read();
  const folded = foldJournal(JSON.parse(JSON.stringify(events)));
  expect(account.journal.evicted).toBeGreaterThan(200);
  expect(folded).toEqual(account.state);
  expect({ stuck: stateOf(account, stuck.requestId), late: stateOf(account, late.requestId) }).toEqual({
    stuck: "stuck",
    late: "succeeded",
  });
});

test("a timeline runs by itself on a real clock", async () => {
  const { account, wall } = await scriptedWorld("timeline: [{ at: 1m, do: { credentials: revoked } }]", {
    account: { clock: { mode: "real" } },
  });

  wall.advance(59_999);
  const before = settingsInForce(account.state).revokedBy;
  wall.advance(1);

  expect({ before, then: settingsInForce(account.state).revokedBy }).toEqual({ before: undefined, then: "s" });
});

test("a setup's callback URL is trusted as far as the person who loaded it, also after a reset", async () => {
  const { account } = await scriptedWorld("rules: []");
  const scenario = scenarioOf('version: 1\nname: hooked\nsetup: { callbacks: { airtime: "http://example.com/hook" } }');

  beginScenarios(account, [{ scenario, trusted: false }]);
  account.reset();

  expect(settingsInForce(account.state).callbacks.urls.airtime).toEqual({
    url: "http://example.com/hook",
    trusted: false,
  });
});

test("what is written of a request tells the rules and what becomes of its connection", async () => {
  const world = await scriptedWorld(
    rule(
      "then: { connection: reset_after_accept, ack: { delay: 2s }, callback: { malformed: true, unknown_id: true } }",
    ),
  );
  const accepted = buyAirtime(world.account, 10);
  await world.account.advance({ by: 1_000 }, 0);
  const transaction = world.account.state.transactions.get(accepted.requestId);

  const lines = transaction && readTimeline(transaction, world.account.journal.read().events, { limit: 3_000 });

  expect(lines?.[0]?.text).toMatch(
    /^Accepted, but the connection was broken \(reset\), acknowledged 2s later .+ Rules: s: r\.$/,
  );
  expect(lines?.[2]?.title).toBe("Callback 1 said: unreadable: not JSON");
});
