import { expect, test } from "vitest";
import { gradeProbe } from "../../src/rehearsal/grade/probe.ts";
import type { JsonPath } from "../../src/rehearsal/json-path.ts";
import { parseJsonPath } from "../../src/rehearsal/json-path.ts";
import type { ProbeExpected, ProbeWanted } from "../../src/rehearsal/rehearsal.ts";
import type { Reply } from "../../src/rehearsal/reply.ts";

const ORDER = { id: 7, status: "paid", credited: 1, amount: "95.00", tries: [1, 2], note: null };
const values = new Map<string, unknown>([
  ["order", 7],
  ["price", "95.00"],
]);

test.each<[string, ProbeWanted]>([
  ["$.status", { is: "equal", value: "paid" }],
  ["$.credited", { is: "equal", value: 1 }],
  ["$.credited", { is: "equal", value: "1" }],
  ["$.id", { is: "equal", value: "{order}" }],
  ["$.tries", { is: "equal", value: [1, 2] }],
  ["$.note", { is: "equal", value: null }],
  ["$.status", { is: "matching", pattern: "^pa" }],
  ["$.amount", { is: "matching", pattern: "^{price}$" }],
  ["$.note", { is: "there" }],
  ["$.refund", { is: "absent" }],
  ["$.tries[?@ > 1]", { is: "equal", value: 2 }],
])("%s passes %j", (path, wanted) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), values);

  expect(verdict).toMatchObject({ is: "passed" });
});

test.each<[string, ProbeWanted, string]>([
  ["$.status", { is: "equal", value: "pending" }, '$.status is "paid"'],
  ["$.credited", { is: "equal", value: 2 }, "$.credited is 1"],
  ["$.credited", { is: "equal", value: true }, "$.credited is 1"],
  ["$.note", { is: "equal", value: "null" }, "$.note is null"],
  ["$.refund", { is: "equal", value: 0 }, "nothing at $.refund"],
  ["$.tries[*]", { is: "equal", value: 1 }, "$.tries[*] is 1, 2"],
  ["$.status", { is: "matching", pattern: "^{price}$" }, '$.status is "paid"'],
  ["$.refund", { is: "there" }, "nothing at $.refund"],
  ["$.status", { is: "absent" }, '$.status is "paid"'],
])("%s fails %j with what was seen", (path, wanted, saw) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), values);

  expect(verdict).toEqual({ is: "failed", saw, exchanges: [] });
});

test.each<[Reply, string]>([
  [{ kind: "answered", status: 500, text: "Oh\n dear" }, "answered 500: Oh dear"],
  [{ kind: "answered", status: 200, text: "<html>" }, "the answer is not JSON: <html>"],
  [{ kind: "silent", reason: "connection refused", wasReached: false }, "no answer (connection refused)"],
  [{ kind: "exited", code: 3, text: "", complaint: "no database" }, "the command ended with 3: no database"],
  [{ kind: "cut short", reason: "did not end within 1s" }, "the command did not end within 1s"],
])("%j fails", (reply, saw) => {
  expect(gradeProbe(probe({ is: "there" }, "$"), reply, values)).toEqual({ is: "failed", saw, exchanges: [] });
});

test("takes the status that is wanted for well", () => {
  const verdict = gradeProbe({ ...probe({ is: "answered" }), status: 404 }, { kind: "answered", status: 404, text: "" }, values);

  expect(verdict).toMatchObject({ is: "passed" });
});

test("compares a command's whole output without a path, but for the line end", () => {
  const verdict = gradeProbe(probe({ is: "equal", value: 3 }), { kind: "exited", code: 0, text: "3\n", complaint: "" }, values);

  expect(verdict).toEqual({ is: "passed", saw: 'the answer is "3"' });
});

function probe(wanted: ProbeWanted, path?: string): ProbeExpected {
  const jsonPath: JsonPath | undefined = path === undefined ? undefined : parseJsonPath(path);
  const question = { via: "command", run: { command: "true", timeout: 1 } } as const;
  return { kind: "probe", question, within: 0, every: 0, wanted, ...(jsonPath && { jsonPath }) };
}

function answer(status: number, body: unknown): Reply {
  return { kind: "answered", status, text: JSON.stringify(body) };
}
