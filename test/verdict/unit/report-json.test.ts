import fc from "fast-check";
import { expect, test } from "vitest";
import { renderJson, reportsShape } from "../../../src/verdict/rehearsal/report-json.ts";
import { anyReport, FIRST, sampleReport } from "../../support/sample-report.ts";

test("says at the top how it went and how much there is", () => {
  const json = JSON.parse(renderJson([sampleReport(), sampleReport({ checks: [], findings: [] })]));

  expect(json).toMatchObject({
    version: 1,
    verdict: "failed",
    counts: { checks: { passed: 1, failed: 1, not_assessed: 1 }, findings: { defect: 1, risk: 0, cost: 1, hint: 0 } },
  });
});

test("has passed where nothing failed, also where something was not assessed", () => {
  const checks = [{ name: "books", verdict: { is: "not assessed", needs: "a probe" } as const }];

  const json = JSON.parse(renderJson([sampleReport({ checks })]));

  expect(json.verdict).toBe("passed");
  expect(json.reports[0].checks).toEqual([{ name: "books", verdict: "not_assessed", needs: "a probe" }]);
});

test("writes times in ISO 8601, money as text, and each failure with its exchanges", () => {
  const [report] = JSON.parse(renderJson([sampleReport()])).reports;

  expect(report).toMatchObject({ started_at: "2026-03-04T09:30:15.250Z", duration_ms: 2_140, seed: 7 });
  expect(report.wallet[1]).toEqual({ at: "2025-01-06T06:00:00.000Z", available: "9905.00" });
  expect(report.checks[1].exchanges[0]).toEqual({ kind: "request", request_id: FIRST });
  expect(report.timeline[2].exchange).toEqual({ kind: "callback", request_id: FIRST, attempt: 1 });
});

test("keeps to its shape and loses no text, whatever it holds", () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const json: unknown = JSON.parse(renderJson([report]));

      const [read] = reportsShape.parse(json).reports;
      expect(read?.name).toBe(report.name);
      expect(read?.timeline[0]?.title).toBe(report.timeline[0]?.title);
      expect(read?.findings[0]?.seen).toBe(report.findings[0]?.seen);
    }),
  );
});
