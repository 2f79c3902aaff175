import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quote } from "../document/describe-value.ts";
import type { Report } from "../rehearsal/report.ts";
import { Halt } from "./halt.ts";
import { messageOf } from "../domain/message-of.ts";

type Render = (reports: readonly Report[]) => string;

/** By the end of a file's name; each is loaded when it is asked for. */
const FORMS: Readonly<Record<string, () => Promise<Render>>> = {
  json: async () => (await import("../rehearsal/report-json.ts")).renderJson,
  xml: async () => (await import("../rehearsal/report-junit.ts")).renderJunit,
  html: async () => (await import("../rehearsal/report-html.ts")).renderHtml,
};

/** A report that is to be written. */
export interface ReportFile {
  readonly path: string;
  readonly load: () => Promise<Render>;
}

/** The report files that were asked for. Halts at a name whose form nobody knows. */
export function reportFiles(paths: readonly string[]): ReportFile[] {
  return paths.map((path) => {
    const load = FORMS[/\.([a-z]+)$/.exec(path)?.[1] ?? ""];
    if (load !== undefined) return { path, load };
    throw new Halt(2, `--report: ${quote(path)} does not say what it is to be; end it with .json, .xml (JUnit) or .html`);
  });
}

/** Halts where nothing can be written, before something long begins. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const { path } of files) await expectPlace(path).catch((error: unknown) => refuseToWrite(path, error));
}

/** What is there already is a file that may be written over; where nothing is, the folder counts. */
async function expectPlace(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  await access(there === undefined ? dirname(path) : path, constants.W_OK);
  if (there?.isDirectory() === true) throw new Error("it is a folder");
}

/** Writes all reports into each file. Halts where one cannot be written. */
export async function writeReports(files: readonly ReportFile[], reports: readonly Report[]): Promise<void> {
  for (const { path, load } of files) {
    const render = await load();
    await writeFile(path, render(reports)).catch((error: unknown) => refuseToWrite(path, error));
  }
}

function refuseToWrite(path: string, error: unknown): never {
  const reason = messageOf(error);
  throw new Halt(2, `--report: ${path} cannot be written (${reason}); name a file in a folder that is there`);
}
