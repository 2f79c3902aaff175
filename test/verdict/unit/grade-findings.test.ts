import { expect, test } from "vitest";
import { gradeFindings } from "../../../src/verdict/rehearsal/grade/findings.ts";
import { evidenceOf, withoutBeginning } from "../../support/evidence.ts";
import { accepted, clientLeft, request } from "../../support/finding-events.ts";

const clean = [accepted("a", 1)];
const doubled = [accepted("a", 1), clientLeft("a", 3), accepted("b", 4)];

test("passes where nothing of that was noticed, and says in how much", () => {
  const verdict = gradeFindings({ none_of: ["defect"] }, evidenceOf(clean));

  expect(verdict).toEqual({ is: "passed", seen: "none of these in 1 exchange" });
});

test("fails with the finding and what proves it", () => {
  const verdicts = [{ none_of: ["defect"] } as const, { none: ["double-spend"] }].map((wanted) =>
    gradeFindings(wanted, evidenceOf(doubled)),
  );

  const failure = {
    is: "failed",
    seen: expect.stringMatching(/^double-spend: /),
    exchanges: [request("a"), request("b")],
  };
  expect(verdicts).toEqual([failure, failure]);
});

test("lets findings of other severities pass", () => {
  const verdict = gradeFindings({ none_of: ["hint"], none: ["no-back-off"] }, evidenceOf(doubled));

  expect(verdict).toMatchObject({ is: "passed" });
});

test("fails where a finding that was to be is not there", () => {
  const verdicts = [doubled, clean].map((events) => gradeFindings({ some: ["double-spend"] }, evidenceOf(events)));

  expect(verdicts).toEqual([
    { is: "passed", seen: "double-spend" },
    { is: "failed", seen: "no finding double-spend", exchanges: [] },
  ]);
});

test("does not call it passed where nothing crossed the wire", () => {
  const verdict = gradeFindings({ none_of: ["defect"] }, evidenceOf([]));

  expect(verdict).toEqual({ is: "not assessed", needs: "at least one request to the gateway" });
});

test("does not assess what may have been in the evicted beginning, and fails what is still seen", () => {
  const verdicts = [clean, doubled].map((events) =>
    gradeFindings({ none_of: ["defect"] }, withoutBeginning(evidenceOf(events))),
  );

  expect(verdicts.map(({ is }) => is)).toEqual(["not assessed", "failed"]);
});
