import { access, constants, lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../gateway/domain/message-of.ts";

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
