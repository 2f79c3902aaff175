import fc from "fast-check";
import { cents } from "../../src/gateway/domain/kes.ts";
import type { Exchange, Finding } from "../../src/verdict/checks/finding.ts";
import type { Check, Report, TimelineEntry } from "../../src/verdict/rehearsal/report.ts";

const START = Date.UTC(2025, 0, 6, 6);
export const FIRST = "3f1c0f6e-8a55-4b7e-9a38-0d2c6f0e7a01";
const SECOND = "9b7d2c44-51c3-4f5c-8c1e-6a4f0e7b9c02";

/** What came of a small rehearsal: one check of each verdict, a defect and a cost. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  return {
    name: "ack-lost",
    description: "The acknowledgment is lost after the money moved.",
    file: "rehearsals/ack-lost.yaml",
    startedAt: Date.UTC(2026, 2, 4, 9, 30, 15, 250),
    duration: 2_140,
    clock: "manual; the application's own timers do not follow it",
    seed: 7,
    checks: [
      {
        name: "callbacks: all acknowledged within 3s",
        verdict: { is: "passed", seen: "2 of 2, the slowest in 12 ms" },
      },
      {
        name: "wallet: spent 95.00",
        verdict: { is: "failed", seen: "KES 190.00 spent", exchanges: [request(FIRST), request(SECOND)] },
      },
      { name: "orders: credited exactly once", verdict: { is: "not assessed", needs: "a probe that reads the order" } },
    ],
    findings: [costlyCharacters, doubleSpend],
    timeline: [
      told(0, request(FIRST), {
        outcome: "accepted, but the connection was broken (reset)",
        isOk: false,
        scripted: "ack-lost: lost",
      }),
      told(2_000, request(SECOND), { outcome: "200 accepted", isOk: true }),
      told(
        2_400,
        { kind: "callback", requestId: FIRST, attempt: 1 },
        {
          title: "callback 1, result 200, to http://localhost:3000/hook",
          outcome: "answered 200 in 12 ms",
          isOk: true,
        },
      ),
    ],
    wallet: [
      { at: START, available: cents(1_000_000) },
      { at: START, available: cents(990_500) },
      { at: START + 2_000, available: cents(981_000) },
    ],
    ...changes,
  };
}

function request(requestId: string): Exchange {
  return { kind: "request", requestId };
}

function told(after: number, exchange: Exchange, changes: Partial<TimelineEntry>): TimelineEntry {
  const title = "POST /api/v2/airtime 254712345678 KES 100.00";
  return { at: START + after, exchange, title, outcome: "200 accepted", isOk: true, ...changes };
}

const doubleSpend: Finding = {
  id: "double-spend",
  subject: "254712345678",
  severity: "defect",
  title: "The same top-up was bought twice",
  seen: "KES 100.00 for 254712345678 was sent again 2 s after an acknowledgment that was lost.",
  why: "A lost acknowledgment says nothing about the money: the first request was paid as well.",
  repair: "Keep the order as unknown until its callback arrives, and never send it again before.",
  assumes: "Two equal orders within ten minutes mean the same.",
  count: 1,
  firstAt: START + 2_000,
  lastAt: START + 2_000,
  exchanges: [request(FIRST), request(SECOND)],
};

const costlyCharacters: Finding = {
  ...doubleSpend,
  id: "costly-characters",
  subject: "",
  severity: "cost",
  title: "A few characters make the message dearer",
  seen: "One ’ makes 2 parts of 1.",
  count: 3,
  exchanges: [],
};

/** Any text that JavaScript can hold: control characters, halves of characters, marks of direction, markup. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "<script>alert(1)</script>",
    "]]>",
    "a & b &amp; &#0;",
    "\u0000\u001b[31m\u0085\u2028",
    "\ud83d",
    "\ufffe\uffff",
    "\u202egnp.exe",
    "\"quoted\" 'too'",
    " \t\r\n ",
    "",
  ),
);

interface Texts {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly clock: string;
  readonly check: string;
  readonly seen: string;
  readonly needs: string;
  readonly title: string;
  readonly outcome: string;
  readonly scripted: string;
  readonly subject: string;
}

const anyTexts: fc.Arbitrary<Texts> = fc.record({
  name: anyText,
  description: anyText,
  file: anyText,
  clock: anyText,
  check: anyText,
  seen: anyText,
  needs: anyText,
  title: anyText,
  outcome: anyText,
  scripted: anyText,
  subject: anyText,
});

/** The sample with any text in every place where there is text. */
export const anyReport: fc.Arbitrary<Report> = anyTexts.map((texts) => {
  const { name, description, file, clock, seen, needs, title, outcome, scripted, subject } = texts;
  return sampleReport({
    name,
    description,
    file,
    clock,
    checks: checksWith(texts),
    findings: [{ ...doubleSpend, title, subject, seen, why: seen, repair: needs, assumes: outcome }],
    timeline: sampleReport().timeline.map((entry) => ({ ...entry, title, outcome, scripted })),
  });
});

function checksWith({ check, seen, needs }: Texts): Check[] {
  return [
    { name: check, verdict: { is: "passed", seen } },
    { name: check, verdict: { is: "failed", seen, exchanges: [request(FIRST)] } },
    { name: check, verdict: { is: "not assessed", needs } },
  ];
}
