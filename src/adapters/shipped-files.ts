import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Scenario } from "../domain/scenario.ts";
import { PACKAGE_FOLDER } from "./package-folder.ts";

/** What is shipped: a folder of the package. */
export type Shipped = "scenarios" | "scenarios/rehearsals";

/** The names of the shipped files, in alphabetical order; none where the package's files are not beside its code. */
export function listShipped(kind: Shipped): string[] {
  const folder = folderOf(kind);
  if (folder === undefined) return [];
  return readdirSync(folder)
    .flatMap((file) => (file.endsWith(EXTENSION) ? [file.slice(0, -EXTENSION.length)] : []))
    .toSorted();
}

/** The text of a shipped file. */
export function readShipped(kind: Shipped, name: string): string {
  return readFileSync(new URL(`${name}${EXTENSION}`, folderOf(kind)), "utf8");
}

/** What the build read out of a shipped scenario; nothing where there was no build, or where the file says something else by now. */
export function readPrepared(name: string, text: string, folder = PREPARED_FOLDER): Scenario | undefined {
  const file = new URL(`${name}.json`, folder);
  if (!existsSync(file)) return undefined;
  const prepared: Prepared = JSON.parse(readFileSync(file, "utf8"));
  return prepared.text === text ? prepared.scenario : undefined;
}

/** Whether this runs out of what a build wrote. */
export function wasBuilt(): boolean {
  return existsSync(PREPARED_FOLDER);
}

/** A file that the build wrote beside its code; nothing where there was no build. */
export function readBuilt(file: string): string | undefined {
  const place = new URL(file, import.meta.url);
  return wasBuilt() && existsSync(place) ? readFileSync(place, "utf8") : undefined;
}

interface Prepared {
  readonly text: string;
  readonly scenario: Scenario;
}

/** Beside the built code; the sources have none, so that they are never told what an earlier build read. */
const PREPARED_FOLDER = new URL("scenarios/", import.meta.url);

const EXTENSION = ".yaml";

function folderOf(kind: Shipped): URL | undefined {
  const folder = PACKAGE_FOLDER && new URL(`${kind}/`, PACKAGE_FOLDER);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
