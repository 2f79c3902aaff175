import { expect, test } from "vitest";
import { externalText, renderHtml } from "../../../src/verdict/report/html.ts";
import { untriedTrial } from "../../../src/verdict/report/report.ts";
import { RIGHT, sampleReport, sampleTrial, SOLD_TWICE } from "../../support/sample-report.ts";

const RISK = { ...SOLD_TWICE, is: "risk" as const };

test("text from elsewhere keeps every character, escaped where HTML gives it a meaning", () => {
  const text = String(externalText(`<b id="x">Ann & 'Tom'</b>`));

  expect(text).toBe("<bdi>&lt;b id=&quot;x&quot;&gt;Ann &amp; &#39;Tom&#39;&lt;/b&gt;</bdi>");
});

test("invisible characters are shown by their number, and the text around them is unchanged", () => {
  const text = String(externalText("a\u202eb<\u0000\t\nc\ufeff"));

  const [mark, zero, space] = ["202E", "0000", "FEFF"].map((number) => `<span class="unseen">U+${number}</span>`);
  expect(text).toBe(`<bdi>a${mark}b&lt;${zero}\t\nc${space}</bdi>`);
});

test("half a surrogate pair is shown as a replacement character", () => {
  expect(String(externalText("a\ud83db"))).toBe("<bdi>a\ufffdb</bdi>");
});

const UNTRIED = untriedTrial(sampleTrial(), "it was interrupted");

test.each([
  [[sampleTrial({ verdicts: [SOLD_TWICE, RISK] })], "is-amiss", "1 defect, 1 risk", false],
  [[sampleTrial({ verdicts: [RISK] })], "is-well", "No defect, 1 risk", false],
  [[sampleTrial({ verdicts: [RIGHT], places: [] })], "is-well", "No defect", true],
  [[UNTRIED], "", "No verdict: 1 of 1 fault not tried", true],
])("the headline's color and words say what was found: %#", (trials, style, words, isFree) => {
  const page = renderHtml(sampleReport({ trials }));

  expect(page).toContain(`<h1 class="${style}">${words}</h1>`);
  expect(page).toContain(`<title>Kredo report: ${words}</title>`);
  expect(page.includes("<p>No problem was found.</p>")).toBe(isFree);
  expect(page.includes('<table class="matrix">')).toBe(trials.some(({ places }) => places.length > 0));
});

test("a problem has its severity, its sentence and id, and everything known about it under labels", () => {
  const page = renderHtml(sampleReport({ trials: [sampleTrial({ verdicts: [SOLD_TWICE] })] }));
  const lesser = renderHtml(sampleReport({ trials: [sampleTrial({ verdicts: [RISK] })] }));

  expect(page).toContain('<span class="badge amiss">defect</span>');
  expect(lesser).toContain('<span class="badge">risk</span>');
  expect(page).toContain(
    "<bdi>When the connection is reset, the application sends the order again.</bdi> " +
      '<span class="id">sold-twice</span>',
  );
  expect(page).toMatch(/<dt>repair<\/dt>\s*<dd><bdi>Never send an order again after silence\.<\/bdi><\/dd>/);
  expect(page).toMatch(/<dt>exchanges<\/dt>\s*<dd><bdi>[^<]+<\/bdi><\/dd>\s*<dd><bdi>[^<]+<\/bdi><\/dd>/);
});

test("the matrix has a column for each point, and a link to the trial at each place that was tried", () => {
  const [first, second] = ["1st airtime request", "2nd airtime request"] as const;
  const trials = [
    sampleTrial({ id: "a b", places: [{ point: first, fault: "reset-after-accept" }] }),
    sampleTrial({
      id: "c",
      places: [{ point: second, fault: "result-failed" }],
      verdict: "right",
      verdicts: [RIGHT],
      exchanges: [],
    }),
    sampleTrial({ id: "d", places: [{ point: second, fault: "never-settles" }], verdict: "open", verdicts: [] }),
  ];

  const page = renderHtml(sampleReport({ trials }));

  const cells = [...page.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell);
  expect([...page.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, head]) => head)).toEqual(["When", first, second]);
  expect(page).toContain('<th scope="row" title="the carrier fails the order">result-failed</th>');
  expect(cells).toEqual([
    '<a class="is-amiss" href="#t-a_b" title="defect">X</a>',
    "",
    "",
    '<a class="is-well" href="#t-c" title="right">·</a>',
    "",
    '<a class="faint" href="#t-d" title="open">?</a>',
  ]);
  expect([...page.matchAll(/<details id="(.*?)">/g)].map(([, id]) => id)).toEqual(["t-a_b", "t-c", "t-d"]);
});

test("a trial lists its exchanges, with what went wrong marked and the scenario that did it named", () => {
  const page = renderHtml(sampleReport({ trials: [sampleTrial()] }));

  const [broken = "", fine = ""] = [...page.matchAll(/<li class="entry[^]*?<\/li>/g)].map(([item]) => item);
  expect(broken).toContain('<li class="entry amiss">');
  expect(broken).toContain(
    '<span class="is-amiss">→ <bdi>accepted, but the connection was broken (reset)</bdi></span>',
  );
  expect(broken).toContain("by the rule <bdi>lost</bdi>");
  expect(fine).toContain('<li class="entry">');
  expect(fine).toContain('<span class="is-well">→ <bdi>200 accepted</bdi></span>');
  expect(fine).toContain('<span class="mono faint">2025-01-06T06:00:02.000Z</span> <bdi>POST /api/v2/airtime');
  expect(fine).not.toContain("by the rule");
  expect(page).not.toContain("There were no requests or callbacks.");
});

test.each([
  ["defect", "badge amiss"],
  ["right", "badge well"],
  ["open", "badge"],
] as const)("a trial that is %s has its verdict in a %s", (verdict, style) => {
  const page = renderHtml(sampleReport({ trials: [sampleTrial({ verdict, verdicts: [], exchanges: [] })] }));

  expect(page).toMatch(new RegExp(`<summary>\\s*<span class="${style}">${verdict}</span>`));
  expect(page).toContain("<bdi>the connection is reset</bdi>, 640ms");
  expect(page).toContain("There were no requests or callbacks.");
});

test("what was not checked is listed as text, below the name of the report", () => {
  const page = renderHtml(sampleReport({ name: "<shop>", not_looked_at: ["<books>"] }));

  expect(page).toContain('<p class="faint"><bdi>&lt;shop&gt;</bdi></p>');
  expect(page).toContain("<li><bdi>Not looked at: &lt;books&gt;.</bdi></li>");
});
