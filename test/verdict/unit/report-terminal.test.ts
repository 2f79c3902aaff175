import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTerminal } from "../../../src/verdict/rehearsal/report-terminal.ts";
import { anyReport, FIRST, sampleReport } from "../../support/sample-report.ts";

const PLAIN = { color: false };

test("gives each check a line with its verdict and what was seen, or what would be needed", () => {
  const lines = renderTerminal(sampleReport(), PLAIN);

  expect(lines).toContain("  passed       callbacks: all acknowledged within 3s (2 of 2, the slowest in 12 ms)");
  expect(lines).toContain("  FAILED       wallet: spent 95.00: KES 190.00 spent");
  expect(lines).toContain("  not assessed orders: credited exactly once: needs a probe that reads the order");
});

test("shows the exchanges that a failure rests on, as they are told in the story", () => {
  const lines = renderTerminal(sampleReport(), PLAIN);

  const failed = lines.findIndex((line) => line.startsWith("  FAILED"));
  expect(lines[failed + 1]?.trim()).toBe(
    `- POST /api/v2/airtime 254712345678 KES 100.00 → accepted, but the connection was broken (reset) (request ${FIRST})`,
  );
});

test("shows five exchanges and says how many more there are", () => {
  const exchanges = Array.from({ length: 8 }, () => ({ kind: "request", requestId: "unknown" }) as const);
  const checks = [{ name: "c", verdict: { is: "failed", seen: "s", exchanges } as const }];

  const lines = renderTerminal(sampleReport({ checks, findings: [] }), PLAIN);

  expect(lines.filter((line) => line.includes("request unknown"))).toHaveLength(5);
  expect(lines.at(-2)?.trim()).toBe("- and 3 more");
});

test("puts the gravest finding first, each with severity, what was seen, why it matters and its mending", () => {
  const lines = renderTerminal(sampleReport(), PLAIN);

  const found = lines.filter((line) => /^ {2}(defect|cost)/.test(line)).map((line) => line.trim());
  expect(found).toEqual([
    "defect       The same top-up was bought twice (double-spend of 254712345678, once)",
    "cost         A few characters make the message dearer (costly-characters, 3 times)",
  ]);
  expect(lines.filter((line) => /^ +(seen|why|repair|assumes):/.test(line))).toHaveLength(8);
});

test("closes with the counts", () => {
  expect(renderTerminal(sampleReport(), PLAIN).at(-1)).toBe(
    "3 checks: 1 passed, 1 failed, 1 not assessed; 2 findings: 1 defect, 1 cost.",
  );
  expect(renderTerminal(sampleReport({ checks: [], findings: [] }), PLAIN).at(-1)).toBe("no checks; no findings.");
});

test("says which clock it was, and when the beginning of the timeline is gone", () => {
  const line = renderTerminal(sampleReport({ evicted: 12 }), PLAIN)[2];

  expect(line).toContain("manual; the application's own timers do not follow it · seed 7 · took 2.1s");
  expect(line).toContain("12 requests were evicted");
});

test("paints verdicts only where color is wanted, and the words are the same", () => {
  const colored = renderTerminal(sampleReport(), { color: true });

  // eslint-disable-next-line no-control-regex -- the escape sequences are what is looked for
  const bare = colored.map((line) => line.replace(/\u001b\[\d+m/g, ""));
  expect(colored.find((line) => line.includes("FAILED"))).toContain("\u001b[31mFAILED");
  expect(bare).toEqual(renderTerminal(sampleReport(), PLAIN));
});

test("folds at words under what belongs together where the width is known", () => {
  const lines = renderTerminal(sampleReport(), { color: false, columns: 60 });

  expect(lines.filter((line) => line.length > 60 && line.trim().includes(" ") && !line.includes(FIRST))).toEqual([]);
  expect(lines.join(" ").replaceAll(/\s+/g, " ")).toBe(
    renderTerminal(sampleReport(), PLAIN).join(" ").replaceAll(/\s+/g, " "),
  );
});

test("lets no text steer the terminal or turn the direction of writing, whatever it holds", () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const text = renderTerminal(report, { color: false, columns: 80 }).join("");

      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test("shows a mark of direction as what it is", () => {
  const lines = renderTerminal(sampleReport({ name: "\u202egnp" }), PLAIN);

  expect(lines[0]).toBe("<U+202E>gnp");
});
