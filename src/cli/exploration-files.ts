import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findObstacle } from "../adapters/files/write-together.ts";
import { messageOf } from "../domain/message-of.ts";
import type { Exploration } from "../verdict/exploration/exploration.ts";
import { replayOf } from "../verdict/exploration/replay.ts";
import { explorationJson } from "../verdict/exploration/report-json.ts";
import { reportOf } from "../verdict/exploration/report.ts";
import { WALLET } from "../verdict/exploration/run-cells.ts";
import { defectsOf } from "../verdict/exploration/summary.ts";
import { type CliError, invalidInput } from "./cli-error.ts";
import { type ReportFile, writeEach, writeReports } from "./report-files.ts";

/** The rehearsal file of each defect, by kind. */
export type Replays = ReadonlyMap<string, string>;

/** Throws a CliError before a long run if no rehearsal can be written to the folder. */
export async function expectFolder(folder: string): Promise<void> {
  const obstacle = await findObstacle(join(folder, "rehearsal.yaml"));
  if (obstacle?.kind === "impossible") throw refusal(folder, obstacle.reason);
}

function refusal(path: string, reason: string): CliError {
  return invalidInput("--found", { problem: `${path} cannot be written (${reason})`, repair: "choose another folder" });
}

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
      throw refusal(path, messageOf(error));
    }
    written.set(defect.kind, path);
  }
  return written;
}

/** Writes the reports: JSON with the exploration itself, other formats with a check for each cell. */
export async function writeExploration(
  found: Exploration,
  files: readonly ReportFile[],
  replays: Replays,
): Promise<void> {
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
