import { mkdir, writeFile } from "node:fs/promises";
import { messageOf } from "../../domain/message-of.ts";
import type { Exploration } from "../../exploration/exploration.ts";
import { replayOf } from "../../exploration/replay.ts";
import { explorationJson } from "../../exploration/report-json.ts";
import { reportOf } from "../../exploration/report.ts";
import { WALLET } from "../../exploration/run-cells.ts";
import { defectsOf } from "../../exploration/summary.ts";
import { CliError } from "../cli-error.ts";
import { type ReportFile, writeEach, writeReports } from "../rehearse/report-files.ts";

/** The rehearsal file of each defect, by kind. */
export type Replays = ReadonlyMap<string, string>;

/** Writes a rehearsal for each defect. Resolves to the files by kind of defect. */
export async function writeReplays(found: Exploration, folder: string): Promise<Replays> {
  const written = new Map<string, string>();
  for (const defect of defectsOf(found)) {
    const replay = replayOf(defect, { seed: found.seed, wallet: WALLET });
    if (replay === undefined) continue;
    const path = `${folder.replace(/\/+$/, "")}/${replay.file}`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, replay.text);
    } catch (error) {
      throw new CliError(2, `${path} cannot be written (${messageOf(error)}); choose another folder with --found`);
    }
    written.set(defect.kind, path);
  }
  return written;
}

/** Writes the reports: JSON with the exploration itself, other formats with a check for each cell. */
export async function writeExploration(found: Exploration, files: readonly ReportFile[], replays: Replays): Promise<void> {
  await writeEach(files.filter(isJson), async () => `${printExploration(found, replays)}\n`);
  await writeReports(
    files.filter((file) => !isJson(file)),
    [reportOf(found)],
  );
}

export function printExploration(found: Exploration, replays: Replays): string {
  return JSON.stringify(explorationJson(found, replays), undefined, 2);
}

function isJson({ format }: ReportFile): boolean {
  return format === "json";
}
