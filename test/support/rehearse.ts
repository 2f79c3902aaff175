import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import { type Report, reportShape } from "../../src/verdict/report/report.ts";
import { type Backend, openShell, type Routes } from "../backends/http-shell.ts";
import { recordingTerminal } from "./system-terminal.ts";

// What the command loads when it is first used is loaded here, and not while a test waits for it.
await Promise.all([import("../../src/cli/commands/rehearse.ts"), import("../../src/control/control-api.ts")]);

/** A sandbox and a small application beside it, for `kredo rehearse` to be tried on. */
export interface Rehearsing extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly application: Backend;
  /** Runs files of these texts, in order; they are called 1.yaml, 2.yaml and so on. */
  rehearse(texts: readonly string[], options?: RehearseOptions): Promise<Outcome>;
}

export interface RehearseOptions {
  readonly flags?: readonly string[];
  readonly interruption?: AbortSignal;
  /** What stands in kredo.app.yaml. */
  readonly map?: string;
  /** Wall time, in place of the machine's. */
  readonly time?: Pick<Terminal, "clock" | "pause">;
  /** Told of all that is printed, as it is printed. */
  readonly onPrinted?: (text: string) => void;
}

export interface Outcome {
  readonly exitCode: number;
  readonly printed: string;
  readonly complained: string;
  /** What stands in the JSON report; none where none was written. */
  readonly trials: Report["trials"];
}

export async function rehearsing(routes: Routes, options: SandboxOptions = {}): Promise<Rehearsing> {
  const sandbox = await createSandbox(options);
  const application = await openShell(0, routes, () => {});
  return {
    sandbox,
    application,
    rehearse: (texts, { flags = [], ...rest } = {}) =>
      rehearseTexts(texts, { ...rest, flags: ["--url", sandbox.url, "--app", application.url, ...flags] }),
    async [Symbol.asyncDispose]() {
      await application.close();
      await sandbox.close();
    },
  };
}

/** Runs `kredo rehearse` as a person would, but for where files are read from and who interrupts it. */
export async function rehearseTexts(texts: readonly string[], options: RehearseOptions = {}): Promise<Outcome> {
  const { flags = [], interruption = new AbortController().signal, onPrinted } = options;
  const report = join(mkdtempSync(join(tmpdir(), "kredo-rehearse-")), "report.json");
  const rehearsals = new Map(texts.map((text, index) => [`./${index + 1}.yaml`, text]));
  const files = new Map([...rehearsals, ["kredo.app.yaml", options.map]]);
  const changes = {
    ...options.time,
    files: { read: (path: string) => readFrom(files, path) },
    interruption: () => interruption,
  };
  const { terminal, ...said } = recordingTerminal(changes, { onPrinted });
  const exitCode = await run(["rehearse", ...rehearsals.keys(), "--report", report, ...flags], terminal);
  return { exitCode, printed: said.printed(), complained: said.complained(), trials: readTrials(report) };
}

function readFrom(files: ReadonlyMap<string, string | undefined>, path: string): { text: string } | { missing: true } {
  const text = files.get(path);
  return text === undefined ? { missing: true } : { text };
}

function readTrials(path: string): Outcome["trials"] {
  try {
    return reportShape.parse(JSON.parse(readFileSync(path, "utf8"))).trials;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** A rehearsal called "tried". */
export function file(rest: string): string {
  return `version: 1\nname: tried\n${rest}`;
}

/** The ids of problems, with their severity: "defect sold-twice". */
export function problems({ trials }: Pick<Outcome, "trials">): string[] {
  return trials.flatMap(({ verdicts }) =>
    verdicts.filter(({ is }) => !["right", "open"].includes(is)).map(({ is, id }) => `${is} ${id}`),
  );
}
