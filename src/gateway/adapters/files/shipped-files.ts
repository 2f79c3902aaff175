import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ParsedScenario, Scenario } from "../../scenario/schema.ts";

/** A folder of the package with shipped files. */
export type Shipped = "scenarios" | "scenarios/rehearsals";

/**
 * Returns the names of the shipped files in alphabetical order; empty if the package's files are missing. The package has scenarios as the
 * build prepared them, and rehearsals as they are written.
 */
export function listShipped(kind: Shipped): string[] {
  const folder = kind === "scenarios" && hasPrepared() ? PREPARED : folderOf(kind);
  if (folder === undefined) return [];
  return readdirSync(folder)
    .flatMap((file) => /^(.+)\.(?:yaml|json)$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** Returns the text of a shipped file. */
export function readShipped(kind: Shipped, name: string): string {
  return readFileSync(new URL(`${name}${EXTENSION}`, folderOf(kind)), "utf8");
}

/** Returns whether the build has prepared the shipped scenarios: not when running from the sources. */
export function hasPrepared(): boolean {
  return existsSync(PREPARED);
}

/** Returns a shipped scenario as prepared by the build, which has read it. */
export function readPrepared(name: string): { text: string; scenario: Scenario; parsed: ParsedScenario } {
  return JSON.parse(readFileSync(new URL(`${name}.json`, PREPARED), "utf8"));
}

const PREPARED = new URL("scenarios/", import.meta.url);

const EXTENSION = ".yaml";

function folderOf(kind: Shipped): URL | undefined {
  const folder = PACKAGE_FOLDER && new URL(`${kind}/`, PACKAGE_FOLDER);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/**
 * The folder of this package, with a trailing slash. This code runs in src, in a file of dist, and in dist/lib, so the package is the
 * nearest folder with a package.json.
 */
export const PACKAGE_FOLDER = findPackage(import.meta.url);

function findPackage(from: string): URL | undefined {
  const here = new URL(".", from);
  if (existsSync(new URL("package.json", here))) return here;
  const parent = new URL("..", from);
  return parent.href === here.href ? undefined : findPackage(parent.href);
}
