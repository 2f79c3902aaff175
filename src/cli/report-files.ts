import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { quote } from "../gateway/document/describe-value.ts";
import type { Report } from "../verdict/rehearsal/report.ts";
import { CliError, refuseToWrite } from "./cli-error.ts";
import type { Flag } from "./command.ts";

export const REPORT_FLAG: Flag = {
  name: "report",
  value: "FILE",
  about: "write a report afterwards: .json, .xml (JUnit) or .html; repeatable",
  isRepeatable: true,
};

/** Report formats by file extension, as named in the control API. */
const FORMATS = { json: "json", xml: "junit", html: "html" } as const;

type Format = (typeof FORMATS)[keyof typeof FORMATS];

export interface ReportFile {
  readonly path: string;
  readonly format: Format;
  /** The flag or argument that names it. */
  readonly place: string;
}

/** The report files to write. Throws a CliError for an unknown extension. */
export function reportFiles(paths: readonly string[], place = "--report"): ReportFile[] {
  return paths.map((path) => {
    const extension = /\.([a-z]+)$/.exec(path)?.[1];
    if (extension === "json" || extension === "xml" || extension === "html")
      return { path, format: FORMATS[extension], place };
    throw new CliError(2, `${place}: ${quote(path)} has no known extension; end it with .json, .xml (JUnit) or .html`);
  });
}

/** Throws a CliError before a long run if a report cannot be written. */
export async function expectWritable(files: readonly ReportFile[]): Promise<void> {
  for (const file of files) await expectPlace(file.path).catch((error: unknown) => refuseToWrite(file, error));
}

/** An existing file may be overwritten; otherwise its folder must be writable. */
async function expectPlace(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  await access(there === undefined ? dirname(path) : path, constants.W_OK);
  if (there?.isDirectory() === true) throw new Error("it is a folder");
}

/** Each is loaded when needed. */
const RENDERERS: Readonly<Record<Format, () => Promise<(reports: readonly Report[]) => string>>> = {
  json: async () => (await import("../verdict/rehearsal/report-json.ts")).renderJson,
  junit: async () => (await import("../verdict/rehearsal/report-junit.ts")).renderJunit,
  html: async () => (await import("../verdict/rehearsal/report-html.ts")).renderHtml,
};

/** Writes all reports to each file. Throws a CliError if one cannot be written. */
export function writeReports(files: readonly ReportFile[], reports: readonly Report[]): Promise<void> {
  return writeEach(files, async (format) => (await RENDERERS[format]())(reports));
}

/** Writes each file in its format. Throws a CliError if one cannot be written. */
export async function writeEach(
  files: readonly ReportFile[],
  textIn: (format: Format) => Promise<string>,
): Promise<void> {
  for (const file of files) {
    const text = await textIn(file.format);
    await writeFile(file.path, text).catch((error: unknown) => refuseToWrite(file, error));
  }
}
