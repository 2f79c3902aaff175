import { access, constants, lstat, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../gateway/domain/message-of.ts";

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Why a file cannot be written. */
export type Obstacle = { readonly kind: "there already" } | { readonly kind: "impossible"; readonly reason: string };

/** Returns what prevents a new file from being written, if anything does. Changes nothing. */
export async function findObstacle(path: string): Promise<Obstacle | undefined> {
  try {
    return (await lstat(path)).isDirectory()
      ? { kind: "impossible", reason: "it is a folder" }
      : { kind: "there already" };
  } catch (error) {
    return isMissing(error) ? findInFolder(dirname(path)) : impossible(error);
  }
}

/** Writes all files with the folders that they need, or none. Replaces existing files. */
export async function writeTogether(files: readonly NewFile[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const { path, text } of files) {
      const folder = await mkdir(dirname(path), { recursive: true });
      if (folder !== undefined) made.push(folder);
      await writeFile(draftOf(path), text, { flag: "wx" });
      made.push(draftOf(path));
    }
  } catch (error) {
    for (const path of made.toReversed()) await rm(path, { recursive: true, force: true });
    throw error;
  }
  for (const { path } of files) await rename(draftOf(path), path);
}

/** Checks that the folder, or its nearest existing parent, is a writable folder. */
async function findInFolder(folder: string): Promise<Obstacle | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return { kind: "impossible", reason: `${folder} is not a folder` };
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return isMissing(error) && dirname(folder) !== folder ? findInFolder(dirname(folder)) : impossible(error);
  }
}

/** Also true below a file, which is found on the way up. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function impossible(error: unknown): Obstacle {
  return { kind: "impossible", reason: messageOf(error) };
}

function draftOf(path: string): string {
  return `${path}.kredo-draft`;
}
