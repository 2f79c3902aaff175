import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { STYLE } from "../../../src/verdict/report/html-style.ts";
import { renderHtml } from "../../../src/verdict/report/html.ts";
import { renderJunit } from "../../../src/verdict/report/junit.ts";
import { externalText } from "../../../src/verdict/report/html.ts";
import { exitCodeOf, renderJson, reportJsonSchema, reportShape } from "../../../src/verdict/report/report.ts";
import { type Verdict, type VerdictKind, worstOf } from "../../../src/verdict/verdict.ts";
import { renderTerminal } from "../../../src/verdict/report/terminal.ts";
import { readJunit } from "../../support/read-junit.ts";
import { anyReport, anyText, sampleReport, sampleTrial, SOLD_TWICE, verdictOf } from "../../support/sample-report.ts";

const PLAIN = { color: false };

test("the terminal shows each cause with its proof, the matrix, and what was not looked at", () => {
  const lines = renderTerminal(sampleReport(), PLAIN);

  expect(lines).toEqual([
    "exploration of http://localhost:3000",
    "",
    "1. SOLD TWICE: When the connection is reset, the application sends the order again.",
    "   your backend says: paid; the customer got KES 200.00; you paid KES 190.00",
    "   seen: the gateway got 2 requests, accepted 2 and delivered 2 (airtime-1-reset-after-accept)",
    "     - POST /api/v2/airtime 254712***678 KES 100.00 → accepted, but the connection was broken (reset)",
    "     - POST /api/v2/airtime 254712***678 KES 100.00 → 200 accepted",
    "   so also: KES 100 twice (repeated-at-once)",
    "   repair: Never send an order again after silence.",
    "   replay: kredo explore --fault reset-after-accept --seed 7",
    "",
    "                                  1st airtime request",
    "  reset-after-accept              X",
    "  · right   X defect   ! risk   ? left open for review   - not assessed",
    "Correct: 1 order left open for review, because nobody could know the outcome.",
    "Not assessed: 1 (the fault did not happen, because no request got that far)",
    "Not looked at: restarts (no restart in the map).",
    "1 defect; 3 of 4 faults tried in 17 runs (294 redundant ones skipped), seed 7, took 2.1s.",
  ]);
});

const others = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("   also when"));

test("a problem names three other failures that show it, and counts the rest, unless all are asked for", () => {
  const trials = Array.from({ length: 11 }, (_, index) =>
    sampleTrial({
      id: `t${index}`,
      faults: `fault ${index} happens`,
      places: [{ point: "p", fault: "reset-after-accept" }],
    }),
  );

  const lines = renderTerminal(sampleReport({ trials }), PLAIN);

  const all = renderTerminal(sampleReport({ trials }), { ...PLAIN, isAll: true });

  expect(others(lines)).toEqual([
    "   also when (10 in all): fault 1 happens (t1)",
    "   also when: fault 2 happens (t2)",
    "   also when: fault 3 happens (t3)",
  ]);
  expect(lines).toContain("   and 7 more: --all");
  expect(others(all)).toHaveLength(10);
});

test("a backend that is wrong in fifty ways fills at most 60 lines, with a line of each problem that is not shown whole", () => {
  const trials = Array.from({ length: 50 }, (_, index) =>
    sampleTrial({
      id: `t${index}`,
      places: [{ point: "p", fault: "reset-after-accept" }],
      verdicts: [{ ...SOLD_TWICE, id: `check-${index}` }],
    }),
  );
  const report = sampleReport({ trials });

  const lines = renderTerminal(report, PLAIN);

  expect(lines.length).toBeLessThanOrEqual(60);
  expect(lines[2]).toMatch(/^1\. CHECK 0:/);
  expect(lines).toContainEqual(expect.stringMatching(/^9\. CHECK 8:/));
  expect(lines).toContainEqual(expect.stringMatching(/^and \d+ more: --all$/));
  expect(lines.at(-1)).toMatch(/^50 defects;/);
  expect(lines).toContainEqual(expect.stringMatching(/^Trials: 50 defect\. The matrix: --all/));
  expect(renderTerminal(report, { ...PLAIN, isAll: true }).length).toBeGreaterThan(300);
});

test("no text of the application controls the terminal", () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      expect(renderTerminal(report, PLAIN).join("")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test("JSON follows its schema", () => {
  const json: unknown = JSON.parse(renderJson(sampleReport({ trials: [sampleTrial({ file: "found/a.yaml" })] })));

  expect(reportShape.parse(json)).toEqual(json);
  expect(json).toMatchObject({
    problems: [
      {
        is: "defect",
        id: "sold-twice",
        sentence: "When the connection is reset, the application sends the order again.",
        truths: { says: "paid", got: "KES 200.00", paid: "KES 190.00" },
        exchanges: [{ outcome: "accepted, but the connection was broken (reset)" }, { outcome: "200 accepted" }],
        repair: "Never send an order again after silence.",
        replay: "kredo rehearse found/a.yaml",
        trials: ["airtime-1-reset-after-accept"],
      },
    ],
    matrix: {
      points: ["1st airtime request"],
      rows: [{ fault: "reset-after-accept", trials: ["airtime-1-reset-after-accept"] }],
    },
  });
  expect(reportJsonSchema()).toMatchObject({ title: "Kredo report" });
});

test("JUnit is valid whatever an application says", async () => {
  const reports = fc.sample(anyReport, 20);

  const read = await Promise.all(reports.map((report) => readJunit(renderJunit(report))));

  expect(read.map(({ name }) => name)).toEqual(reports.map(() => "testsuites"));
});

test("the page needs nothing but itself: no script, no link to elsewhere, and a policy that allows its own style only", () => {
  const page = renderHtml(sampleReport());

  const hash = createHash("sha256").update(STYLE).digest("base64");
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toMatch(/<script|<link|<img|<iframe| src=| style=| on[a-z]+=|url\(|@import|href="(?!#)/i);
});

test("the page has the defect, then the matrix, then what was not looked at", () => {
  const page = renderHtml(sampleReport());

  const order = ["sends the order again", "Never send an order again", 'class="matrix"', "Not looked at", "<details"];
  const places = order.map((text) => page.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
});

test("any text from elsewhere is text and nothing else, with its unseen characters shown by their number", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const written = String(externalText(text));

      const inner = written.slice("<bdi>".length, -"</bdi>".length);
      const bare = inner.replace(/<span class="unseen">U\+([\dA-F]{4})<\/span>/g, "");
      expect(bare).not.toMatch(/[<>"']|(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

const UNCLEAR = verdictOf("not assessed");
const kinds = (...is: readonly VerdictKind[]) => is.map((one) => [verdictOf(one)]);

test.each<[string, Verdict[][], "defect" | "risk" | "cost" | "hint" | undefined, number]>([
  ["what is right", kinds("right"), undefined, 0],
  ["a defect", kinds("defect"), "hint", 1],
  ["a risk", kinds("risk"), undefined, 0],
  ["a risk that counts", kinds("risk"), "risk", 1],
  ["a risk where less counts", kinds("risk"), "hint", 1],
  ["a cost where more counts", kinds("cost"), "risk", 0],
  ["a cost that counts", kinds("cost"), "cost", 1],
  ["a hint where more counts", kinds("hint"), "cost", 0],
  ["what is open", kinds("open"), "hint", 0],
  ["a defect, though most was not assessed", [[UNCLEAR], [UNCLEAR], [SOLD_TWICE]], undefined, 1],
  ["a tenth without a verdict", [[UNCLEAR], ...kinds(...Array<VerdictKind>(9).fill("right"))], undefined, 0],
  ["more than a tenth without a verdict", [[UNCLEAR], ...kinds(...Array<VerdictKind>(8).fill("right"))], undefined, 3],
  ["nothing", [], undefined, 3],
])("%s is an exit code", (_what, verdicts, failOn, code) => {
  const trials = verdicts.map((some) => sampleTrial({ verdict: worstOf(some), verdicts: some }));

  expect(exitCodeOf({ trials }, failOn)).toBe(code);
});
