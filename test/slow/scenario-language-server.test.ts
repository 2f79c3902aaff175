import { expect, test } from "vitest";
import { shippedText } from "../support/gateway/shipped.ts";
import { diagnose } from "./language-server.ts";

const HEAD = `# yaml-language-server: $schema=../schema/scenario.schema.json
version: 1
name: bad-afternoon
`;

test("an editor finds nothing wrong with a right scenario, also where a short code is a number", async () => {
  const text = shippedText("bad-afternoon").replace("sms, probability", "sms, sender_id: 20254, probability");

  expect(await diagnose(scenarioFile(text))).toEqual([]);
});

test.each([
  ["rules:\n  - name: r\n    then: { ack: { dealy: 5s } }\n", 5, 19, "dealy"],
  ["rules:\n  - name: r\n    then: { refuse: 200 }\n", 5, 20, "204"],
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
