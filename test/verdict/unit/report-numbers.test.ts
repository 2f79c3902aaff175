import { expect, test } from "vitest";
import { renderHtml } from "../../../src/verdict/report/html.ts";
import { renderJunit } from "../../../src/verdict/report/junit.ts";
import { renderJson, type Report } from "../../../src/verdict/report/report.ts";
import { renderTerminal } from "../../../src/verdict/report/terminal.ts";
import { sampleReport, sampleTrial, SOLD_TWICE, verdictOf } from "../../support/sample-report.ts";

const SURFACES: readonly [string, (report: Report) => string][] = [
  ["text", (report) => renderTerminal(report, { color: false, isAll: true }).join("\n")],
  ["JSON", renderJson],
  ["JUnit", renderJunit],
  ["HTML", renderHtml],
];

const FORMS = [
  "254712345678",
  "+254712345678",
  "0712345678",
  "0712 345 678",
  "+254 712 345 678",
  "0712-345-678",
  "order_254712345678_1",
  "/paid?number=%2B254712345678",
  String.raw`no order for\n254712345678`,
  String.raw`\u002b254712345678`,
];

/** A trial that names a number in each of its texts. */
function trialAbout(number: string) {
  const [first, ...rest] = sampleTrial().exchanges;
  const truths = { says: `paid ${number}`, got: `${number} got it`, paid: `for ${number}` };
  const follows = [{ is: "defect" as const, id: "repeated-at-once", seen: `KES 100 twice for ${number}` }];
  const title = `asks ${number} again`;
  const seen = `sent as "${number}".`;
  return sampleTrial({
    faults: `${number}, 1st airtime request: the connection is reset`,
    phone_number: number,
    verdicts: [{ ...SOLD_TWICE, title, seen, truths, follows }, verdictOf("not assessed", { seen })],
    exchanges: first === undefined ? [] : [textsOf(first), ...rest],
  });

  function textsOf(entry: NonNullable<typeof first>): NonNullable<typeof first> {
    const said = `said ${number}`;
    return { ...entry, title: `POST ${number} KES 100`, outcome: said, rules: said, answer: said };
  }
}

test.each(SURFACES)("a report as %s shows no phone number in full, however it is written", (_, render) => {
  const report = sampleReport({ trials: FORMS.map((number, index) => ({ ...trialAbout(number), id: `t${index}` })) });

  const shown = render(report);

  expect(FORMS.filter((number) => shown.includes(number))).toEqual([]);
  expect(shown).toContain("254712***678");
});

test("identifiers, amounts, examples and the command that replays a trial stay as they are", () => {
  const ids = '9b7d2c44-51c3-4f5c-8c1e-254712345678 KES 1,000,000.00, such as "254712345678"';
  const report = sampleReport({
    seed: 254_712_345_678,
    trials: [sampleTrial({ verdicts: [{ ...SOLD_TWICE, seen: ids }] })],
  });

  expect(report.problems[0]).toMatchObject({ seen: ids, replay: expect.stringContaining("--seed 254712345678") });
});
