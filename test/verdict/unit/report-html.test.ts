import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { externalText } from "../../../src/verdict/rehearsal/html.ts";
import type { Report, TimelineEntry } from "../../../src/verdict/rehearsal/report.ts";
import { renderHtml } from "../../../src/verdict/rehearsal/report-html.ts";
import { STYLE } from "../../../src/verdict/rehearsal/report-html-style.ts";
import { contrastOf, paletteOf } from "../../support/contrast.ts";
import { anyReport, anyText, FIRST, sampleReport } from "../../support/sample-report.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("needs nothing but itself: no script, no link to elsewhere, and a policy that allows its own style only", () => {
  const page = renderHtml([sampleReport()]);

  const hash = createHash("sha256").update(STYLE).digest("base64");
  expect(page).toContain(`<style>${STYLE}</style>`);
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toMatch(/<script|<link|<img|<iframe| src=| style=| on[a-z]+=|url\(|@import|href="(?!#)/i);
});

test("any text from elsewhere is text and nothing else, with its unseen characters shown by their number", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { text: written } = externalText(text);

      const inner = written.slice("<bdi>".length, -"</bdi>".length);
      const bare = inner.replace(
        /<span class="unseen">U\+([\dA-F]{4})<\/span>/g,
        (_, code: string) => `&#${Number.parseInt(code, 16)};`,
      );
      expect(bare).not.toMatch(/[<>"']|(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      expect(bare.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(
        text.replace(/\p{Cs}/gu, "\ufffd"),
      );
    }),
    { numRuns: 500 },
  );
});

test("no text changes the page's structure, whatever it holds", () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      const tags = tagsOf(renderHtml([report]));

      expect(tags).toEqual(tagsOf(renderHtml([blank(report)])));
    }),
  );
});

test("says at the top how many checks failed, and of each report how it stands", () => {
  const [passed, , open] = sampleReport().checks;
  const checks = [passed, open].filter((check) => check !== undefined);
  const page = renderHtml([sampleReport(), sampleReport({ checks }), sampleReport({ checks: [] })]);

  expect(page).toContain("<title>Kredo report: 1 of 5 checks failed</title>");
  expect(
    [...page.matchAll(/<li>\s*<span class="badge[^"]*">([^<]*)<\/span>\s*<a href="#r\d"/g)].map(
      ([, standing]) => standing,
    ),
  ).toEqual(["✕ 1 failed", "1 not assessed", "no checks"]);
});

test.each([
  [[{ name: "c", verdict: { is: "passed", seen: "s" } }], "The check passed"],
  [
    [
      { name: "c", verdict: { is: "passed", seen: "s" } },
      { name: "d", verdict: { is: "not assessed", needs: "n" } },
    ],
    "1 of 2 checks passed, 1 not assessed",
  ],
  [[], "There was nothing to check"],
] as const)("never calls passed what was not assessed: %j", (checks, headline) => {
  expect(renderHtml([sampleReport({ checks, findings: [] })])).toContain(`<title>Kredo report: ${headline}</title>`);
});

test("does not look well where a defect was found that no check asked for", () => {
  const page = renderHtml([sampleReport({ checks: [{ name: "c", verdict: { is: "passed", seen: "s" } }] })]);

  expect(page).toContain('<h1 class="is-amiss">The check passed, but 1 defect was found</h1>');
});

test("a failure points to the row of what shows it", () => {
  const page = renderHtml([sampleReport({ findings: [] })]);

  const links = [...page.matchAll(/<a href="#([\w-]+)"/g)].map(([, id]) => id);
  expect(links).toEqual(["r1-1", "r1-2"]);
  expect(page).toMatch(/<tr id="r1-1" class="request">/);
});

test("each id is there once, and each link leads to one", () => {
  const page = renderHtml([sampleReport(), sampleReport({ name: "again" })]);

  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
});

test("tells requests and callbacks in lanes of their own, with the time since the first", () => {
  const page = renderHtml([sampleReport()]);

  const rows = [...page.matchAll(/<tr id="r1-\d" class="(\w+)">([\s\S]*?)<\/tr>/g)].map(([, kind, cells = ""]) => [
    kind,
    cells.match(/\+[\d:.]+/)?.[0],
    cells.indexOf("empty") < cells.indexOf("entry"),
  ]);
  expect(rows).toEqual([
    ["request", "+0:00.000", false],
    ["request", "+0:02.000", false],
    ["callback", "+0:02.400", true],
  ]);
});

test("shows 2,000 rows of a long timeline and says how many are between", () => {
  const timeline = Array.from({ length: 2_345 }, (_, index): TimelineEntry => ({
    at: START + index * 90_000_000,
    exchange: { kind: "request", requestId: FIRST },
    title: `request ${index}`,
    outcome: "200 accepted",
    isOk: true,
  }));

  const page = renderHtml([sampleReport({ timeline })]);

  expect(page.match(/<tr id=/g)).toHaveLength(2_000);
  expect(page).toContain("345 more in between are not shown");
  expect(page).toContain("<bdi>request 2344</bdi>");
  expect(page).toContain("+1d 01:00:00.000");
});

test("draws the wallet as a step at each change, and says its ends in words", () => {
  const page = renderHtml([sampleReport()]);

  expect(page).toContain('aria-label="KES 10,000.00 available at first, KES 9,810.00 at the end."');
  expect(page).toContain('<path d="M0 0H0V95H952.38V190H1000"');
  expect([...page.matchAll(/<span>([\d,.]+)<\/span>/g)].map(([, tick]) => tick)).toEqual([
    "10,000",
    "9,950",
    "9,900",
    "9,850",
    "9,800",
  ]);
});

test("the wallet's line stays within the drawing, whatever the amounts are", () => {
  const anyWallet = fc.array(fc.tuple(fc.nat({ max: 1_000 }), fc.nat({ max: 999_999_999_999 })), {
    minLength: 2,
    maxLength: 30,
  });

  fc.assert(
    fc.property(anyWallet, (changes) => {
      const wallet = changes
        .toSorted(([one], [other]) => one - other)
        .map(([after, amount]) => ({ at: START + after, available: cents(amount) }));

      const page = renderHtml([sampleReport({ wallet })]);

      const [, line = ""] = page.match(/<path d="([^"]*)"/) ?? [];
      const numbers = [...line.matchAll(/[\d.]+/g)].map(Number);
      const heights = [...line.matchAll(/(?:V|M\d+ )([\d.]+)/g)].map(([, y]) => Number(y));
      expect(line).toMatch(/^M[\d.]+ [\d.]+(?:H[\d.]+V[\d.]+)+H1000$/);
      expect(Math.max(...numbers)).toBe(1_000);
      expect(Math.max(...heights)).toBeLessThanOrEqual(200);
    }),
  );
});

test("says in words of a wallet that nothing changed", () => {
  const page = renderHtml([sampleReport({ wallet: [{ at: START, available: cents(123_456_789) }] })]);

  expect(page).toContain("KES 1,234,567.89 were available throughout.");
  expect(page).not.toContain("<svg");
});

test("says when the beginning of the timeline is gone", () => {
  expect(renderHtml([sampleReport({ evicted: 12 })])).toContain(
    "12 requests at the beginning were evicted from the journal",
  );
});

// WCAG 2.2, 1.4.3: 4.5 to 1 for text of ordinary size.
test.each([
  ["ink", "paper"],
  ["ink", "card"],
  ["ink", "plain-soft"],
  ["faint", "paper"],
  ["faint", "card"],
  ["faint", "plain-soft"],
  ["well", "paper"],
  ["well", "well-soft"],
  ["well", "plain-soft"],
  ["amiss", "paper"],
  ["amiss", "amiss-soft"],
  ["amiss", "plain-soft"],
])("%s can be read on %s, by day and by night", (ink, ground) => {
  const contrasts = paletteOf(STYLE).map((palette) => contrastOf(palette[ink], palette[ground]));

  expect(contrasts).toHaveLength(2);
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
});

function tagsOf(page: string): string[] {
  return (
    page.replaceAll(/<style>[\s\S]*?<\/style>|<span class="unseen">[^<]*<\/span>/g, "").match(/<\/?[a-zA-Z!][^>]*>/g) ??
    []
  );
}

/** The same report with one letter for each text that is not empty. */
function blank(report: Report): Report {
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    TEXTS.includes(key) && value !== "" ? "x" : value,
  );
}

const TEXTS = [
  "name",
  "description",
  "file",
  "clock",
  "seen",
  "needs",
  "title",
  "subject",
  "seen",
  "why",
  "repair",
  "assumes",
  "outcome",
  "scripted",
];
