import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../report.ts";
import { fill, fillJson, type Values } from "../placeholders.ts";
import type { ProbeExpected, ProbeWanted } from "../rehearsal.ts";
import { excerpt, readJson, type Reply, readReply } from "../reply.ts";
import { failed, passed } from "./evidence.ts";

/** Whether the application said what it was to say. */
export function gradeProbe({ wanted, jsonPath, status }: ProbeExpected, reply: Reply, values: Values): Verdict {
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

function fillWanted(wanted: ProbeWanted, values: Values): ProbeWanted {
  if (wanted.is === "equal") return { is: "equal", value: fillJson(wanted.value, values) };
  return wanted.is === "matching" ? { is: "matching", pattern: fill(wanted.pattern, escaped(values)) } : wanted;
}

/** Where several places are found, there are several values; a list is one. */
function judge(found: readonly unknown[], wanted: ProbeWanted, place: string): Verdict {
  const saw = found.length === 0 ? `nothing at ${place}` : `${place} is ${found.map(show).join(", ")}`;
  return isMet(found, wanted) ? passed(saw) : failed(saw);
}

function isMet(found: readonly unknown[], wanted: ProbeWanted): boolean {
  const [value] = found;
  switch (wanted.is) {
    case "answered":
      return true;
    case "there":
      return found.length > 0;
    case "absent":
      return found.length === 0;
    case "equal":
      return found.length === 1 && isSame(value, wanted.value);
    case "matching":
      return found.length === 1 && new RegExp(wanted.pattern, "u").test(textOf(value));
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
