import { expect, test } from "vitest";
import { gradeCallbacks } from "../../../src/verdict/rehearsal/grade/callbacks.ts";
import { evidenceOf, withoutBeginning } from "../../support/evidence.ts";
import { accepted, answered, attempted, callback, settled } from "../../support/finding-events.ts";

const done = [accepted("a", 1), settled("a", 2)];

test("passes callbacks that were all acknowledged, with the slowest answer", () => {
  const verdict = gradeCallbacks({ acknowledged: "all" }, evidenceOf([...done, attempted("a", 2, { millis: 41 })]));

  expect(verdict).toEqual({ is: "passed", seen: "1 callback, the slowest answer after 41 ms" });
});

test("fails with the callback that was answered otherwise", () => {
  const verdict = gradeCallbacks(
    { acknowledged: "all" },
    evidenceOf([...done, attempted("a", 2, { outcome: answered(404) })]),
  );

  expect(verdict).toMatchObject({ is: "failed", seen: expect.stringContaining("404"), exchanges: [callback("a")] });
});

test("tells once what was the same of several callbacks", () => {
  const events = [
    accepted("b", 1),
    settled("b", 2),
    ...done,
    attempted("a", 2, { outcome: answered(404) }),
    attempted("b", 2, { outcome: answered(404) }),
  ];

  const verdict = gradeCallbacks({ acknowledged: "all" }, evidenceOf(events));

  expect(verdict).toMatchObject({
    is: "failed",
    seen: expect.stringMatching(/^2 times: callback: /),
    exchanges: [callback("a"), callback("b")],
  });
});

test("takes a callback that was acknowledged at the second try for acknowledged in the end, but not in time", () => {
  const first = attempted("a", 2, { outcome: { kind: "timed_out" }, millis: 3_000, retryAt: 1 });
  const evidence = evidenceOf([...done, first, attempted("a", 12, { attempt: 2 })]);

  const verdicts = [{ acknowledged: "all" } as const, { acknowledged_within: 3_000 }].map((wanted) =>
    gradeCallbacks(wanted, evidence),
  );

  expect(verdicts).toMatchObject([{ is: "passed" }, { is: "failed", exchanges: [callback("a", 1)] }]);
});

test("fails an acknowledgment that came later than it was to", () => {
  const verdict = gradeCallbacks(
    { acknowledged_within: 100 },
    evidenceOf([...done, attempted("a", 2, { millis: 150 })]),
  );

  expect(verdict).toEqual({
    is: "failed",
    seen: "a callback was acknowledged after 150 ms.",
    exchanges: [callback("a")],
  });
});

test.each([
  ["is no JSON", { scripted: { malformed: true } }],
  ["has a wrong content type", { scripted: { wrong_content_type: true } }],
  ["names an unknown request", { scripted: { unknown_id: true } }],
  ["comes byte by byte", { scripted: { slow_drip: true } }],
  ["was broken off by the sandbox", { outcome: { kind: "broken_off" } }],
  ["was given up by the sandbox", { outcome: { kind: "abandoned" } }],
] as const)("blames nobody for the answer to a callback that %s", (_what, changes) => {
  const spoilt = attempted("a", 2, { outcome: answered(400), ...changes });

  const verdict = gradeCallbacks({ acknowledged: "all" }, evidenceOf([...done, spoilt]));

  expect(verdict).toEqual({ is: "not assessed", needs: "a callback URL; add it to account.callbacks" });
});

test("expects an answer to a contradiction as to any callback", () => {
  const second = attempted("a", 3, { delivery: 2, attempt: 2, scripted: { contradict: true }, outcome: answered(500) });

  const verdict = gradeCallbacks({ acknowledged: "all" }, evidenceOf([...done, attempted("a", 2), second]));

  expect(verdict).toMatchObject({ is: "failed", exchanges: [callback("a", 2)] });
});

test("counts every try", () => {
  const evidence = evidenceOf([...done, attempted("a", 2), attempted("a", 3, { delivery: 2, attempt: 2 })]);

  const verdicts = [{ count: { eq: 2 } }, { count: { eq: 1 } }].map((wanted) => gradeCallbacks(wanted, evidence));

  expect(verdicts).toMatchObject([{ is: "passed" }, { is: "failed", seen: "2 tries" }]);
});

test("looks at one operation where one is named", () => {
  const evidence = evidenceOf([...done, attempted("a", 2, { outcome: answered(500) })]);

  const verdict = gradeCallbacks({ operation: "sms", acknowledged: "all" }, evidence);

  expect(verdict).toMatchObject({ is: "not assessed" });
});

test("does not assess what is still to come, or was evicted", () => {
  const coming = evidenceOf(done);
  const gone = withoutBeginning(evidenceOf([...done, attempted("a", 2)]));

  const verdicts = [coming, gone].map((evidence) => gradeCallbacks({ acknowledged: "all" }, evidence));

  expect(verdicts).toMatchObject([
    { is: "not assessed", needs: 'the end of 1 transaction that is not done; add the step "advance: all"' },
    { is: "not assessed", needs: expect.stringContaining("evicted") },
  ]);
});
