import { expect, test } from "vitest";
import { gradeProbe } from "../../src/rehearsal/grade/probe.ts";
import type { JsonPath } from "../../src/rehearsal/json-path.ts";
import { parseJsonPath } from "../../src/rehearsal/json-path.ts";
import type { ProbeExpected, ProbeAssertion } from "../../src/rehearsal/rehearsal.ts";
import type { Reply } from "../../src/rehearsal/reply.ts";

const ORDER = { id: 7, status: "paid", credited: 1, amount: "95.00", tries: [1, 2], note: null };
const values = new Map<string, unknown>([
  ["order", 7],
  ["price", "95.00"],
]);

test.each<[string, ProbeAssertion]>([
  ["$.status", { is: "equals", value: "paid" }],
  ["$.credited", { is: "equals", value: 1 }],
  ["$.credited", { is: "equals", value: "1" }],
  ["$.id", { is: "equals", value: "{order}" }],
  ["$.tries", { is: "equals", value: [1, 2] }],
  ["$.note", { is: "equals", value: null }],
  ["$.status", { is: "matches", pattern: "^pa" }],
  ["$.amount", { is: "matches", pattern: "^{price}$" }],
  ["$.note", { is: "exists" }],
  ["$.refund", { is: "missing" }],
  ["$.tries[?@ > 1]", { is: "equals", value: 2 }],
])("%s passes %j", (path, wanted) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), values);

  expect(verdict).toMatchObject({ is: "passed" });
});

test.each<[string, ProbeAssertion, string]>([
  ["$.status", { is: "equals", value: "pending" }, '$.status is "paid"'],
  ["$.credited", { is: "equals", value: 2 }, "$.credited is 1"],
  ["$.credited", { is: "equals", value: true }, "$.credited is 1"],
  ["$.note", { is: "equals", value: "null" }, "$.note is null"],
  ["$.tries[*]", { is: "equals", value: 1 }, "$.tries[*] is 1, 2"],
  ["$.status", { is: "matches", pattern: "^{price}$" }, '$.status is "paid"'],
  ["$.refund", { is: "exists" }, "nothing at $.refund"],
  ["$.status", { is: "missing" }, '$.status is "paid"'],
])("%s fails %j with what was seen", (path, wanted, seen) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), values);

  expect(verdict).toEqual({ is: "failed", seen, exchanges: [] });
});

test.each<[Reply, string]>([
  [{ kind: "answered", status: 500, text: "Oh\n dear" }, "answered 500: Oh dear"],
  [{ kind: "answered", status: 200, text: "<html>" }, "the answer is not JSON: <html>"],
  [{ kind: "silent", reason: "connection refused", wasReached: false }, "no answer (connection refused)"],
  [{ kind: "exited", code: 3, text: "", complaint: "no database" }, "the command ended with 3: no database"],
  [{ kind: "cut short", reason: "did not end within 1s" }, "the command did not end within 1s"],
])("%j fails", (reply, seen) => {
  expect(gradeProbe(probe({ is: "exists" }, "$"), reply, values)).toEqual({ is: "failed", seen, exchanges: [] });
});

test("takes the status that is wanted for well", () => {
  const verdict = gradeProbe({ ...probe({ is: "answers" }), status: 404 }, { kind: "answered", status: 404, text: "" }, values);

  expect(verdict).toMatchObject({ is: "passed" });
});

test("compares a command's whole output without a path, but for the line end", () => {
  const verdict = gradeProbe(probe({ is: "equals", value: 3 }), { kind: "exited", code: 0, text: "3\n", complaint: "" }, values);

  expect(verdict).toEqual({ is: "passed", seen: 'the answer is "3"' });
});

function probe(wanted: ProbeAssertion, path?: string): ProbeExpected {
  const jsonPath: JsonPath | undefined = path === undefined ? undefined : parseJsonPath(path);
  const source = { via: "command", run: { command: "true", timeout: 1 } } as const;
  return { kind: "probe", source, within: 0, every: 0, wanted, ...(jsonPath && { jsonPath }) };
}

function answer(status: number, body: unknown): Reply {
  return { kind: "answered", status, text: JSON.stringify(body) };
}
