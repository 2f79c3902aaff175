import { writeFile } from "node:fs/promises";
import { quoteText } from "../../gateway/document/describe-value.ts";
import type { Report } from "../../verdict/report/report.ts";
import { CliError, expectWritable, refuseToWrite } from "../terminal/cli-error.ts";
import type { Flag } from "../terminal/command.ts";

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

/** The report files to write. Throws a CliError for one that has an unknown extension or cannot be written. */
export async function reportFiles(paths: readonly string[], place = "--report"): Promise<ReportFile[]> {
  const files = paths.map((path): ReportFile => {
    const extension = /\.([a-z]+)$/.exec(path)?.[1];
    if (extension === "json" || extension === "xml" || extension === "html")
      return { path, format: FORMATS[extension], place };
    throw new CliError(
      2,
      `${place}: ${quoteText(path)} has no known extension; end it with .json, .xml (JUnit) or .html`,
    );
  });
  await expectWritable(files);
  return files;
}

type Renderer = (report: Report) => string;

/** Each is loaded when needed. */
const RENDERERS: Readonly<Record<Format, () => Promise<Renderer>>> = {
  json: async () => (await import("../../verdict/report/report.ts")).renderJson,
  junit: async () => (await import("../../verdict/report/junit.ts")).renderJunit,
  html: async () => (await import("../../verdict/report/html.ts")).renderHtml,
};

/** Writes a report to each file. Throws a CliError if one cannot be written. */
export function writeReport(files: readonly ReportFile[], report: Report): Promise<void> {
  return writeEach(files, async (format) => (await RENDERERS[format]())(report));
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
