import { expect, test } from "vitest";
import { diagnose } from "./language-server.ts";

const HEAD = `# yaml-language-server: $schema=../schema/scenario.schema.json
version: 1
name: bad-afternoon
`;

const GOOD = `${HEAD}description: Airtel goes down for half a minute; acknowledgments get slow; one is lost after the money moved.
seed: 7
setup:
  wallet: { balance: "500.00" }
rules:
  - name: Airtel is down, its backlog drains afterwards
    when: { operation: airtime, carrier: airtel, during: { from: 0s, to: 30s } }
    then: { result: { hold_until: 30s } }
  - name: two refusals, then it works
    when: { operation: sms, first: 2, per: phone_number }
    then: { refuse: 429 }
  - name: every third acknowledgment is slow
    when: { every: 3 }
    then: { ack: { delay: { uniform: [2s, 6s] } } }
    continue: true
  - name: the acknowledgment is lost after the money moved
    when: { phone_number: "25471*", amount: { gte: 100 }, nth: 1 }
    then: { connection: reset_after_accept }
  - name: some reports come twice, the second contradicting the first
    when: { operation: sms, sender_id: 20254, probability: 0.1 }
    then: { callback: { times: 2, gap: 500ms, contradict: true } }
timeline:
  - at: 60s
    do: { wallet: { balance: "3.00" } }
  - at: 90s
    do: { credentials: revoked }
`;

test("an editor finds nothing wrong with the example of the design", async () => {
  expect(await diagnose(scenarioFile(GOOD))).toEqual([]);
});

test.each([
  ["rules:\n  - name: r\n    then: { ack: { dealy: 5s } }\n", 5, 19, "dealy"],
  ["rules:\n  - name: r\n    then: { refuse: 200 }\n", 5, 20, "300"],
  ["rules:\n  - name: r\n    when: { carrier: safricom }\n    then: {}\n", 5, 21, "safaricom"],
  ["rules:\n  - name: r\n    then: { connection: reset }\n", 5, 24, "reset_after_accept"],
  ["timeline:\n  - at: 1s\n    do: { credentials: gone }\n", 5, 23, "revoked"],
])("an editor marks the mistake in %j", async (rest, line, character, word) => {
  const diagnostics = await diagnose(scenarioFile(HEAD + rest));

  expect(diagnostics.map(({ range }) => range.start)).toContainEqual({ line, character });
  expect(diagnostics.map(({ message }) => message).join("\n")).toContain(word);
});

function scenarioFile(text: string): { uri: string; text: string } {
  return { uri: new URL("../../scenarios/bad-afternoon.yaml", import.meta.url).href, text };
}
