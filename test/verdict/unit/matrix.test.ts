import { expect, test } from "vitest";
import { createReport } from "../../../src/verdict/report/problems.ts";
import { sampleReport, sampleTrial } from "../../support/sample-report.ts";

test("the matrix shows a defect before any other verdict at one place, and each place's last fault", () => {
  const point = "1st airtime request";
  const place = { point, fault: "result-failed" };
  const trials = [
    sampleTrial({ id: "first", places: [place], verdict: "right", verdicts: [] }),
    sampleTrial({ id: "broken", places: [{ point, fault: "reset-after-accept" }, place] }),
    sampleTrial({
      id: "special",
      places: [{ point: "1st sms request", fault: "same-order-twice" }],
      faults: "twice at once",
    }),
    sampleTrial({ id: "plain", places: [] }),
  ];

  const { matrix } = createReport(sampleReport({ trials }));

  expect(matrix).toEqual({
    points: [point, "1st sms request"],
    rows: [
      { fault: "result-failed", words: "the carrier fails the order", group: "result", trials: ["broken", null] },
      { fault: "same-order-twice", words: "twice at once", group: "special trials", trials: [null, "special"] },
    ],
  });
});

test("where no trial at one place has a defect, the matrix shows the first", () => {
  const trials = ["a", "b"].map((id) => sampleTrial({ id, verdict: "open", verdicts: [] }));

  expect(createReport(sampleReport({ trials })).matrix.rows[0]?.trials).toEqual(["a"]);
});
