import { isDeepStrictEqual } from "node:util";
import { excerpt, isNoEndpoint, readJson, type Reply, readReply } from "../../application/ask.ts";
import { fill, fillJson, type Values } from "../../application/placeholders.ts";
import { describeSource } from "../../application/request.ts";
import { readAmount } from "../../application/values.ts";
import { subtractKes } from "../../../gateway/domain/kes.ts";
import { compilePattern } from "../pattern.ts";
import type { ProbeCheck } from "../check-schema.ts";
import type { Verdict } from "../report.ts";
import { failed, notAssessed, passed } from "./evidence.ts";

/** Judges whether the application gave the expected answer. `before` is what a `changed_by` probe found before the first step. */
export function gradeProbe(
  probe: ProbeCheck,
  reply: Reply,
  { values, before }: { values: Values; before?: unknown },
): Verdict {
  const { status } = probe;
  if (status === undefined && isNoEndpoint(reply))
    return notAssessed(`an endpoint at ${fill(describeSource(probe), values)}, which answered ${reply.status}`);
  const answer = readReply(reply, status);
  if ("wrong" in answer) return failed(answer.wrong);
  const found = findIn(answer.text, probe);
  if (found === undefined) return failed(`the answer is not JSON${excerpt(answer.text)}`);
  return judge(found, probe, { values, before });
}

function judge(
  found: readonly unknown[],
  probe: ProbeCheck,
  { values, before }: { values: Values; before: unknown },
): Verdict {
  const place = probe.json_path?.text ?? "the answer";
  if (found.length === 0 && needsValue(probe)) return notAssessed(`a value at ${place} in the answer`);
  if (probe.changed_by !== undefined) return judgeChange(probe.changed_by, { before, found: found[0], place });
  const seen = describeFound(found, place);
  return isMet(found, probe, values) ? passed(seen) : failed(seen);
}

function describeFound(found: readonly unknown[], place: string): string {
  return found.length === 0 ? `nothing at ${place}` : `${place} is ${found.map(show).join(", ")}`;
}

/**
 * Finds the values at the path: several if it matches several places; a list counts as one. Returns undefined if the answer should be JSON
 * but is not.
 */
function findIn(text: string, { json_path }: ProbeCheck): readonly unknown[] | undefined {
  if (json_path === undefined) return text.trim() === "" ? [] : [text.trim()];
  const json = readJson(text);
  return json && json_path.find(json.value);
}

function needsValue(probe: ProbeCheck): boolean {
  return "equals" in probe || probe.matches !== undefined || probe.changed_by !== undefined;
}

function judgeChange(
  by: number,
  { before, found, place }: { before: unknown; found: unknown; place: string },
): Verdict {
  const [earlier, later] = [readAmount(before), readAmount(found)];
  if (earlier === undefined) return notAssessed(`an amount at ${place} before the first step`);
  if (later === undefined) return failed(`${place} is ${show(found)}, which is not an amount in KES`);
  const seen = `${place} was ${show(before)} and is ${show(found)}`;
  return subtractKes(later, earlier) === by ? passed(seen) : failed(seen);
}

function isMet(found: readonly unknown[], probe: ProbeCheck, values: Values): boolean {
  if (probe.exists !== undefined) return found.length > 0 === probe.exists;
  if ("equals" in probe) return found.length === 1 && isSame(found[0], fillJson(probe.equals, values));
  if (probe.matches === undefined) return true;
  return found.length === 1 && compilePattern(fill(probe.matches, escaped(values))).test(textOf(found[0]));
}

/** A number equals its text, because a command only prints text and quotes are easily forgotten in YAML. */
function isSame(value: unknown, wanted: unknown): boolean {
  if (typeof value === "object" || typeof wanted === "object") return isDeepStrictEqual(value, wanted);
  return textOf(value) === textOf(wanted);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const SHOWN = 200;

/** Escapes captured values so that they match literally. */
function escaped(values: Values): Values {
  return new Map([...values].map(([name, value]) => [name, textOf(value).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")]));
}
