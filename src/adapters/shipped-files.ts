import { existsSync, readdirSync, readFileSync } from "node:fs";
import { PACKAGE_FOLDER } from "./package-folder.ts";

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

const FOLDER = findFolder();

function findFolder(): URL | undefined {
  const folder = PACKAGE_FOLDER && new URL("scenarios/", PACKAGE_FOLDER);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
