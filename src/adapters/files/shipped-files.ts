import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Scenario } from "../../scenario/schema.ts";

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

/** A shipped scenario as the build prepared it; none when running from the sources. */
export function readPrepared(name: string): Scenario | undefined {
  const file = new URL(`scenarios/${name}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

const EXTENSION = ".yaml";

function folderOf(kind: Shipped): URL | undefined {
  const folder = PACKAGE_FOLDER && new URL(`${kind}/`, PACKAGE_FOLDER);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/**
 * The folder of this package, with a slash at its end. This code runs as src/adapters, as a file of dist, and as
 * dist/lib/adapters: the package is the nearest folder with a package.json.
 */
export const PACKAGE_FOLDER = findPackage(import.meta.url);

function findPackage(from: string): URL | undefined {
  const here = new URL(".", from);
  if (existsSync(new URL("package.json", here))) return here;
  const parent = new URL("..", from);
  return parent.href === here.href ? undefined : findPackage(parent.href);
}
