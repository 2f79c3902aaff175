import { readdirSync, readFileSync } from "node:fs";
import { parseRehearsal, type Rehearsal } from "../../src/verdict/rehearsal/rehearsal-schema.ts";

const FOLDER = new URL("../../scenarios/rehearsals/", import.meta.url);

/** The names of the shipped rehearsals, in alphabetical order. */
export function rehearsalNames(): string[] {
  return readdirSync(FOLDER)
    .map((file) => file.replace(/\.yaml$/, ""))
    .toSorted();
}

export function rehearsalText(name: string): string {
  return readFileSync(new URL(`${name}.yaml`, FOLDER), "utf8");
}

export function shippedRehearsal(name: string): Rehearsal {
  const parsed = parseRehearsal(rehearsalText(name), `${name}.yaml`);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.rehearsal;
}
