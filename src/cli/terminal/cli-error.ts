import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { formatMistake } from "../../gateway/document/problem.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { FOLDER_REASON, type Files } from "../../gateway/adapters/files/files-on-disk.ts";

export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** What they mean, for the help and the docs. */
export const EXIT_CODES =
  "Exit codes: 0 success, 1 a check failed, 2 wrong input or config, 3 a target could not be reached, or there is no verdict, 130 interrupted (under npx, Ctrl-C always gives 130).";

/** Ends a command early; its message, if any, is for the person at the terminal. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** What `--json` prints. */
  readonly json: unknown;

  constructor(exitCode: ExitCode, message: string, json: unknown = { problem: message }) {
    super(message);
    this.exitCode = exitCode;
    this.json = json;
  }
}

/** Returns the text of a file, or the mistake that it cannot be read, with this repair. */
export function readOrExplain(
  path: string,
  files: Files,
  repair: string,
): { readonly text: string } | { readonly mistake: string } {
  const content = files.read(path);
  if ("text" in content) return content;
  if ("missing" in content) return { mistake: formatMistake(path, { problem: "there is no such file", repair }) };
  if (content.unreadable === FOLDER_REASON) return { mistake: `${path} is a folder; write the path of a file in it` };
  return { mistake: formatMistake(path, { problem: `cannot be read (${content.unreadable})`, repair }) };
}

/** Ends a command over an argument, a flag, a variable or a file that is wrong. */
export function invalidInput(place: string, mistake: { readonly problem: string; readonly repair: string }): CliError {
  return new CliError(2, formatMistake(place, mistake));
}

/** A file to write. One that is written beside its place and then moved there needs a writable folder, even if it exists. */
interface OutputFile {
  readonly path: string;
  readonly place: string;
  readonly isMoved?: boolean;
}

/** Ends a command before a long run if a file cannot be written. */
export async function expectWritable(files: readonly OutputFile[]): Promise<void> {
  for (const file of files) {
    const there = await stat(file.path).catch(() => undefined);
    const isOther = there !== undefined && !there.isFile();
    const target = there === undefined || file.isMoved === true ? dirname(file.path) : file.path;
    await access(target, constants.W_OK).catch((error: unknown) => refuseToWrite(file, error));
    if (isOther) refuseToWrite(file, new Error(there.isDirectory() ? FOLDER_REASON : "it is not a file"));
  }
}

/** Ends a command whose output file cannot be written. */
export function refuseToWrite({ path, place }: OutputFile, error: unknown): never {
  throw invalidInput(place, {
    problem: `${path} cannot be written (${messageOf(error)})`,
    repair: "choose a file in an existing folder",
  });
}
