import { expect, test } from "vitest";
import { gradeProbe } from "../../../src/verdict/rehearsal/grade/probe.ts";
import type { Reply } from "../../../src/verdict/application/ask.ts";
import { parseJsonPath } from "../../../src/verdict/application/values.ts";
import type { ProbeCheck } from "../../../src/verdict/rehearsal/check-schema.ts";

const ORDER = { id: 7, status: "paid", credited: 1, amount: "95.00", tries: [1, 2], note: null };
type Condition = Pick<ProbeCheck, "equals" | "matches" | "exists">;

const values = new Map<string, unknown>([
  ["order", 7],
  ["price", "95.00"],
]);

test.each<[string, Condition]>([
  ["$.status", { equals: "paid" }],
  ["$.credited", { equals: 1 }],
  ["$.credited", { equals: "1" }],
  ["$.id", { equals: "{order}" }],
  ["$.tries", { equals: [1, 2] }],
  ["$.note", { equals: null }],
  ["$.status", { matches: "^pa" }],
  ["$.amount", { matches: "^{price}$" }],
  ["$.note", { exists: true }],
  ["$.refund", { exists: false }],
  ["$.tries[?@ > 1]", { equals: 2 }],
])("%s passes %j", (path, wanted) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), { values });

  expect(verdict).toMatchObject({ is: "passed" });
});

test.each<[string, Condition, string]>([
  ["$.status", { equals: "pending" }, '$.status is "paid"'],
  ["$.credited", { equals: 2 }, "$.credited is 1"],
  ["$.credited", { equals: true }, "$.credited is 1"],
  ["$.note", { equals: "null" }, "$.note is null"],
  ["$.tries[*]", { equals: 1 }, "$.tries[*] is 1, 2"],
  ["$.status", { matches: "^{price}$" }, '$.status is "paid"'],
  ["$.refund", { exists: true }, "nothing at $.refund"],
  ["$.status", { exists: false }, '$.status is "paid"'],
])("%s fails %j with what was seen", (path, wanted, seen) => {
  const verdict = gradeProbe(probe(wanted, path), answer(200, ORDER), { values });

  expect(verdict).toEqual({ is: "failed", seen, exchanges: [] });
});

test.each<[Reply, string]>([
  [{ kind: "answered", status: 500, text: "Oh\n dear" }, "answered 500: Oh dear"],
  [{ kind: "answered", status: 200, text: "<html>" }, "the answer is not JSON: <html>"],
  [{ kind: "silent", reason: "connection refused", wasReached: false }, "no answer (connection refused)"],
  [{ kind: "exited", code: 3, text: "", complaint: "no database" }, "the command ended with 3: no database"],
  [{ kind: "cut short", reason: "did not end within 1s" }, "the command did not end within 1s"],
])("%j fails", (reply, seen) => {
  expect(gradeProbe(probe({ exists: true }, "$"), reply, { values })).toEqual({ is: "failed", seen, exchanges: [] });
});

test("takes the status that is wanted for well", () => {
  const verdict = gradeProbe({ ...probe({}), status: 404 }, { kind: "answered", status: 404, text: "" }, { values });

  expect(verdict).toMatchObject({ is: "passed" });
});

test("compares a command's whole output without a path, but for the line end", () => {
  const verdict = gradeProbe(probe({ equals: 3 }), { kind: "exited", code: 0, text: "3\n", complaint: "" }, { values });

  expect(verdict).toEqual({ is: "passed", seen: 'the answer is "3"' });
});

function probe(condition: Condition, path?: string): ProbeCheck {
  const json_path = path === undefined ? undefined : parseJsonPath(path);
  return { command: { run: "true", timeout: 1 }, within: 0, every: 0, ...condition, ...(json_path && { json_path }) };
}

function answer(status: number, body: unknown): Reply {
  return { kind: "answered", status, text: JSON.stringify(body) };
}
