import fc from "fast-check";
import { createReport } from "../../src/verdict/report/problems.ts";
import type { Report, ReportedEntry, TrialReport } from "../../src/verdict/report/report.ts";
import type { Verdict, VerdictKind } from "../../src/verdict/verdict.ts";

const START = Date.UTC(2025, 0, 6, 6);
const FIRST = "3f1c0f6e-8a55-4b7e-9a38-0d2c6f0e7a01";
const SECOND = "9b7d2c44-51c3-4f5c-8c1e-6a4f0e7b9c02";

export const SOLD_TWICE: Verdict = {
  is: "defect",
  id: "sold-twice",
  title: "sends the order again",
  seen: "the gateway got 2 requests, accepted 2 and delivered 2",
  truths: { says: "paid", got: "KES 200.00", paid: "KES 190.00" },
  repair: "Never send an order again after silence.",
  count: 1,
  exchanges: [request(FIRST), request(SECOND)],
  follows: [{ is: "defect", id: "repeated-at-once", seen: "KES 100 twice." }],
};

export const RIGHT: Verdict = {
  is: "right",
  id: "order",
  title: "",
  seen: "1 delivered",
  count: 1,
  exchanges: [],
  follows: [],
};

/** A verdict of this kind about a check named after it: "a-risk". */
export function verdictOf(is: VerdictKind, changes: Partial<Verdict> = {}): Verdict {
  return { ...RIGHT, is, id: `a-${is}`, title: `it has a ${is}`, ...changes };
}

/** A trial in which the connection was reset and the order was sold twice. */
export function sampleTrial(changes: Partial<TrialReport> = {}): TrialReport {
  return {
    id: "airtime-1-reset-after-accept",
    operation: "airtime",
    faults: "the connection is reset",
    places: [{ point: "1st airtime request", fault: "reset-after-accept" }],
    verdict: "defect",
    verdicts: [SOLD_TWICE],
    phone_number: "254712***678",
    exchanges: [
      entry(0, request(FIRST), {
        outcome: "accepted, but the connection was broken (reset)",
        tone: "bad",
        rules: "lost",
      }),
      entry(2_000, request(SECOND), {}),
    ],
    duration_ms: 640,
    ...changes,
  };
}

/** What came of a small exploration: a defect, an order that is right, one that is open, and one that was not assessed. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const plain = { places: [], exchanges: [], faults: "nothing goes wrong" };
  return createReport({
    name: "exploration of http://localhost:3000",
    application: "http://localhost:3000",
    started_at: "2026-03-04T09:30:15.250Z",
    duration_ms: 2_140,
    seed: 7,
    trials: [
      sampleTrial({ ...plain, id: "airtime-plain", verdict: "right", verdicts: [RIGHT] }),
      sampleTrial(),
      sampleTrial({ ...plain, id: "open", verdict: "open", verdicts: [{ ...RIGHT, is: "open" }] }),
      sampleTrial({
        ...plain,
        id: "unclear",
        verdict: "not assessed",
        verdicts: [{ ...RIGHT, is: "not assessed", seen: "the fault did not happen, because no request got that far" }],
      }),
    ],
    doing: "",
    is_over: true,
    done: 3,
    total: 4,
    runs: 17,
    redundant: 294,
    not_looked_at: ["restarts (no restart in the map)"],
    ...changes,
  });
}

function request(request_id: string): Pick<ReportedEntry, "kind" | "request_id"> {
  return { kind: "request", request_id };
}

function entry(
  after: number,
  exchange: Pick<ReportedEntry, "kind" | "request_id">,
  changes: Partial<ReportedEntry>,
): ReportedEntry {
  const title = "POST /api/v2/airtime 254712***678 KES 100.00";
  const at = new Date(START + after).toISOString();
  return { ...exchange, at, title, outcome: "200 accepted", tone: "plain", ...changes };
}

/** Any text that JavaScript can hold: control characters, halves of characters, marks of direction, markup. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "<script>alert(1)</script>",
    "]]>",
    "a & b &amp; &#0;",
    "\u0000\u001b[31m\u0085\u009b31m\u2028",
    "\ud83d",
    "\ufffe\uffff",
    "\u202egnp.exe",
    "\"quoted\" 'too'",
    " \t\r\n ",
    "",
  ),
);

/** The sample with any text in every place where there is text from outside. */
export const anyReport: fc.Arbitrary<Report> = fc
  .record({ name: anyText, seen: anyText, title: anyText, outcome: anyText, faults: anyText, id: anyText })
  .map(({ name, seen, title, outcome, faults, id }) => {
    const verdict = { ...SOLD_TWICE, seen, why: seen, repair: title, assumes: outcome };
    const exchanges = sampleTrial().exchanges.map((one) => ({ ...one, title, outcome, scripted: seen }));
    return sampleReport({
      name,
      trials: [sampleTrial({ id, faults, verdicts: [verdict], exchanges })],
      not_looked_at: [seen],
    });
  });
