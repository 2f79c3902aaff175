import { configSchema } from "../config/config-schema.ts";
import { isRehearsal } from "../rehearsal/is-rehearsal.ts";
import { isScenario } from "../scenario/is-scenario.ts";
import { readScenarioFile } from "../simulator-scenarios.ts";
import { parseDocument } from "../document/parse-document.ts";
import { formatProblem } from "../document/problem.ts";
import type { Files } from "../ports/files.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { readRehearsal } from "./rehearsal-files.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { count } from "./wording.ts";

export const validate: Verb = {
  usage: ["validate FILE..."],
  about: [
    "Checks config, scenario and rehearsal files whole, and prints each mistake as file:line:column path: problem; repair. Exit code 2",
    "if there is any. A file that expects, drives or names an application is a rehearsal; one with rules, a setup, a timeline or a",
    "version is a scenario. Warnings leave it usable: exit code 0.",
  ].join("\n"),
  flags: [],
  run: validateFiles,
};

async function validateFiles({ words }: Said, { files, stdout }: Terminal): Promise<ExitCode> {
  if (words.length === 0) throw new Halt(2, "FILE is missing; write kredo validate FILE...");
  const checked = words.map((path) => ({ path, ...check(path, files) }));
  printLines(
    stdout,
    checked.flatMap(({ path, mistakes, warnings }) => [
      ...(mistakes.length === 0 ? [`${path}: no mistakes`] : mistakes),
      ...warnings.map((warning) => `warning: ${warning}`),
    ]),
  );
  const total = checked.reduce((sum, { mistakes }) => sum + mistakes.length, 0);
  if (total === 0) return 0;
  throw new Halt(2, `${count(total, "mistake")} in ${count(checked.filter(({ mistakes }) => mistakes.length > 0).length, "file")}`);
}

interface Checked {
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
}

function check(path: string, files: Files): Checked {
  const content = files.read(path);
  if ("missing" in content) return wrong(`${path}: there is no such file; write the path of a config, scenario or rehearsal file`);
  if ("unreadable" in content)
    return wrong(`${path}: cannot be read (${content.unreadable}); write the path of a config, scenario or rehearsal file`);
  if (isRehearsal(content.text)) {
    const found = readRehearsal(path, content.text, files);
    return wrong(...("problems" in found ? found.problems : []));
  }
  if (isScenario(content.text)) {
    const { problems, warnings } = readScenarioFile(path, content.text);
    return { mistakes: problems, warnings };
  }
  const parsed = parseDocument(content.text, configSchema, { file: path });
  return wrong(...("problems" in parsed ? parsed.problems.map(formatProblem) : []));
}

function wrong(...mistakes: readonly string[]): Checked {
  return { mistakes, warnings: [] };
}
