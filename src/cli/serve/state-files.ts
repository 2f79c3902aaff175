import type { Variables } from "../terminal/terminal.ts";
import { variableOf } from "../config/serve-flags.ts";

/** The files that a sandbox's accounts are loaded from and saved to. */
export interface StateFiles {
  /** Persists across restarts. */
  readonly data?: NamedFile;
  /** Read before the first request. */
  readonly imported?: NamedFile;
  /** Written after the last request. */
  readonly exported?: NamedFile;
}

/** A file's path, and the flag or variable that names it. */
export interface NamedFile {
  readonly path: string;
  readonly place: string;
}

/** Returns the files named by flags, otherwise by variables. An empty variable counts as unset. */
export function stateFiles(given: ReadonlyMap<string, string>, env: Variables): StateFiles {
  const find = (flag: string): NamedFile | undefined => {
    const [said, set] = [given.get(flag), env[variableOf(flag)]];
    if (said !== undefined) return { path: said, place: `--${flag}` };
    return set ? { path: set, place: variableOf(flag) } : undefined;
  };
  const [data, imported, exported] = [find("data"), find("import"), find("export-on-exit")];
  return { ...(data && { data }), ...(imported && { imported }), ...(exported && { exported }) };
}

/** Returns warnings for a command whose own sandbox does not use such files. */
export function warnOfUnused(state: StateFiles, verb: string): string[] {
  const unused = Object.values(state).map(({ place }: NamedFile) => place);
  return unused.map((place) => `${place} is only for serve; the sandbox of ${verb} starts empty and saves nothing`);
}
