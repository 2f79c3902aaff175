import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The names of the shipped scenarios, in alphabetical order; none where the package's files are not beside its code. */
export function listShipped(): string[] {
  if (FOLDER === undefined) return [];
  return readdirSync(FOLDER)
    .flatMap((file) => (file.endsWith(EXTENSION) ? [file.slice(0, -EXTENSION.length)] : []))
    .toSorted();
}

/** The text of a shipped scenario. */
export function readShipped(name: string): string {
  return readFileSync(new URL(`${name}${EXTENSION}`, FOLDER), "utf8");
}

const EXTENSION = ".yaml";

const FOLDER = findFolder(import.meta.url);

/** This code runs as src/adapters, as a file of dist, and as dist/lib/adapters: the package is the nearest folder with a package.json. */
function findFolder(from: string): URL | undefined {
  const parent = new URL("..", from);
  const here = new URL(".", from);
  if (existsSync(new URL("package.json", here))) return existsSync(new URL("scenarios/", here)) ? new URL("scenarios/", here) : undefined;
  return parent.href === here.href ? undefined : findFolder(parent.href);
}
