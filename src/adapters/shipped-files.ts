import { existsSync, readdirSync, readFileSync } from "node:fs";
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

const EXTENSION = ".yaml";

function folderOf(kind: Shipped): URL | undefined {
  const folder = PACKAGE_FOLDER && new URL(`${kind}/`, PACKAGE_FOLDER);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
