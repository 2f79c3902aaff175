import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../../../src/", import.meta.url);

/** What a scenario meant to do, and how the transport names what became of a callback. */
const INTENTIONS = [
  /\b(?:breakage|scripted)\b/,
  /\.ack\b|\back\??\.|\{[^{}]*\back\b[^{}:]*\}\s*(?:=|:\s*Partial<AppliedRules>)/,
  /\boutcome\??\.kind\b|\boutcome: \{[^{}]*\bkind\b(?!:)/,
  /\.(?:test|exec)\((?:\w+\.)*fault\.id|\bfault\.id\b\s*(?:[!=]==|\.\w)/,
];

/** What reads them, and what sends what they say. */
const PLACES = [
  "gateway/account/readings/",
  "gateway/account/decide/",
  "gateway/account/wire.ts",
  "gateway/contract/",
  "gateway/domain/callback-outcome.ts",
  "gateway/domain/explain-outcome.ts",
  "gateway/engine/",
  "gateway/http/bindings.ts",
  "gateway/http/respond.ts",
  "gateway/scenario/",
];

/** Other files that name an intention, and why that decides nothing about an exchange. */
const EXEMPT: Readonly<Record<string, string>> = {
  "gateway/account/account-event.ts": "the form of a snapshot",
  "gateway/account/event-guards.ts": "says which responses the engine still has to send",
  "gateway/account/events.ts": "the form of the journal",
  "gateway/account/transaction.ts": "plans what is sent",
  "storage/replicas/forwarded-orders.ts": "sends a response for another replica",
  "control/callback-attempts.ts": "prints how a delivery was changed, beside what it said",
  "verdict/faults.ts": "writes scenarios",
  "verdict/report/timeline.ts": "names the rules of an entry",
};

test("no file decides by what a scenario meant to do, except those that read or send it", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));

  const naming = files.filter((file) => intentionsIn(readFileSync(new URL(file, src), "utf8")).length > 0);

  const others = naming.filter((file) => !PLACES.some((place) => file.startsWith(place)));
  expect(others.toSorted()).toEqual(Object.keys(EXEMPT).toSorted());
});

test.each([
  ['if (event.breakage === "hang") return;', ["breakage"]],
  ["const { outcome, scripted } = event;", ["scripted"]],
  ["return rules?.ack !== undefined;", [".ack"]],
  ["const { delay } = ack?.status;", ["ack?."]],
  ["function of({ fired, ack }: Partial<AppliedRules> = {}): object {", ["{ fired, ack }: Partial<AppliedRules>"]],
  ['return attempt.outcome.kind === "reset";', ["outcome.kind"]],
  ["function isReset({ outcome: { kind } }: Attempted): boolean {", ["outcome: { kind"]],
  ["return faults.some(({ fault }) => pattern.test(fault.id));", [".test(fault.id"]],
  ['if (fault.id.startsWith("hang")) return;', ["fault.id.s"]],
  ['return { outcome: { kind: "abandoned" } };', []],
  ["const found = faults.find((fault) => ids.includes(fault.id));", []],
  ["/** What a scripted callback says. */", []],
  ["  // The breakage comes first.", []],
  ['return "its breakage";', []],
])("finds what is decided by in %j", (source, found) => {
  expect(intentionsIn(source)).toEqual(found);
});

/** What a source names of them, outside its comments and texts. */
function intentionsIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return INTENTIONS.flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
}
