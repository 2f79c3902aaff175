import { isDeepStrictEqual } from "node:util";
import { subtractKes } from "../../domain/kes.ts";
import type { Verdict } from "../report.ts";
import { fill, fillJson, type Values } from "../placeholders.ts";
import type { ProbeExpected, ProbeAssertion } from "../rehearsal.ts";
import { readAmount } from "../read-amount.ts";
import { excerpt, isNoEndpoint, readJson, type Reply, readReply } from "../reply.ts";
import { compilePattern } from "../../scenario/pattern.ts";
import { sourceText } from "../describe-expectation.ts";
import { failed, notAssessed, passed } from "./evidence.ts";

/** Whether the application said what it was to say. */
export function gradeProbe({ wanted, jsonPath, status, source }: ProbeExpected, reply: Reply, values: Values): Verdict {
  if (status === undefined && isNoEndpoint(reply))
    return notAssessed(`an endpoint at ${fill(sourceText(source), values)}, which answered ${reply.status}`);
  const said = readReply(reply, status);
  if ("wrong" in said) return failed(said.wrong);
  if (jsonPath === undefined)
    return judge(
      [said.text.trim()].filter((text) => text !== ""),
      fillWanted(wanted, values),
      "the answer",
    );
  const json = readJson(said.text);
  if (json === undefined) return failed(`the answer is not JSON${excerpt(said.text)}`);
  return judge(jsonPath.find(json.value), fillWanted(wanted, values), jsonPath.text);
}

function fillWanted(wanted: ProbeAssertion, values: Values): ProbeAssertion {
  if (wanted.is === "equals") return { is: "equals", value: fillJson(wanted.value, values) };
  return wanted.is === "matches" ? { is: "matches", pattern: fill(wanted.pattern, escaped(values)) } : wanted;
}

/** Where several places are found, there are several values; a list is one. */
function judge(found: readonly unknown[], wanted: ProbeAssertion, place: string): Verdict {
  if (found.length === 0 && NEEDS_VALUE.has(wanted.is)) return notAssessed(`a value at ${place} in the answer`);
  if (wanted.is === "changed") return judgeChange(found[0], wanted, place);
  const seen = found.length === 0 ? `nothing at ${place}` : `${place} is ${found.map(show).join(", ")}`;
  return isMet(found, wanted) ? passed(seen) : failed(seen);
}

const NEEDS_VALUE: ReadonlySet<ProbeAssertion["is"]> = new Set<ProbeAssertion["is"]>(["equals", "matches", "changed"]);

function judgeChange(found: unknown, { by, before }: Extract<ProbeAssertion, { is: "changed" }>, place: string): Verdict {
  const [earlier, later] = [readAmount(before), readAmount(found)];
  if (earlier === undefined) return notAssessed(`an amount at ${place} before the first step`);
  if (later === undefined) return failed(`${place} is ${show(found)}, which is not an amount in KES`);
  const seen = `${place} was ${show(before)} and is ${show(found)}`;
  return subtractKes(later, earlier) === by ? passed(seen) : failed(seen);
}

function isMet(found: readonly unknown[], wanted: Exclude<ProbeAssertion, { is: "changed" }>): boolean {
  const [value] = found;
  switch (wanted.is) {
    case "answers":
      return true;
    case "exists":
      return found.length > 0;
    case "missing":
      return found.length === 0;
    case "equals":
      return found.length === 1 && isSame(value, wanted.value);
    case "matches":
      return found.length === 1 && compilePattern(wanted.pattern).test(textOf(value));
  }
}

/** A number and its text are one thing to a command, which only prints text, and to YAML, where quotes are easily forgotten. */
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

/** What is captured is meant letter by letter. */
function escaped(values: Values): Values {
  return new Map([...values].map(([name, value]) => [name, textOf(value).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")]));
}
