import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quote } from "../../document/describe-value.ts";
import type { Report } from "../../rehearsal/report.ts";
import { CliError } from "../cli-error.ts";
import { messageOf } from "../../domain/message-of.ts";

type Render = (reports: readonly Report[]) => string;

/** By file extension; each is loaded when needed. */
const FORMS: Readonly<Record<string, () => Promise<Render>>> = {
  json: async () => (await import("../../rehearsal/report-json.ts")).renderJson,
  xml: async () => (await import("../../rehearsal/report-junit.ts")).renderJunit,
  html: async () => (await import("../../rehearsal/report-html.ts")).renderHtml,
};

/** A report file to write. */
export interface ReportFile {
  readonly path: string;
  readonly load: () => Promise<Render>;
}

/** The report files to write. Throws a CliError for an unknown extension. */
export function reportFiles(paths: readonly string[]): ReportFile[] {
  return paths.map((path) => {
    const load = FORMS[/\.([a-z]+)$/.exec(path)?.[1] ?? ""];
    if (load !== undefined) return { path, load };
    throw new CliError(2, `--report: ${quote(path)} has no known extension; end it with .json, .xml (JUnit) or .html`);
  });
}

/** Throws a CliError before a long run if a report cannot be written. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const { path } of files) await expectPlace(path).catch((error: unknown) => refuseToWrite(path, error));
}

/** An existing file may be overwritten; otherwise its folder must be writable. */
async function expectPlace(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  await access(there === undefined ? dirname(path) : path, constants.W_OK);
  if (there?.isDirectory() === true) throw new Error("it is a folder");
}

/** Writes all reports to each file. Throws a CliError if one cannot be written. */
export async function writeReports(files: readonly ReportFile[], reports: readonly Report[]): Promise<void> {
  for (const { path, load } of files) {
    const render = await load();
    await writeFile(path, render(reports)).catch((error: unknown) => refuseToWrite(path, error));
  }
}

function refuseToWrite(path: string, error: unknown): never {
  const reason = messageOf(error);
  throw new CliError(2, `--report: ${path} cannot be written (${reason}); name a file in a folder that is there`);
}
