import { configSchema } from "../config/config-schema.ts";
import { parseDocument } from "../document/parse-document.ts";
import { formatProblem } from "../document/problem.ts";
import type { FileText } from "../ports/files.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { count } from "./wording.ts";

export const validate: Verb = {
  usage: ["validate FILE..."],
  about: "Checks config files whole, and prints each mistake as file:line:column path: problem; repair. Exit code 2 if there is any.",
  flags: [],
  run: validateFiles,
};

async function validateFiles({ words }: Said, { files, stdout }: Terminal): Promise<ExitCode> {
  if (words.length === 0) throw new Halt(2, "FILE is missing; write kredo validate FILE...");
  const mistakes = words.map((path) => ({ path, lines: findMistakes(path, files.read(path)) }));
  printLines(
    stdout,
    mistakes.flatMap(({ path, lines }) => (lines.length === 0 ? [`${path}: no mistakes`] : lines)),
  );
  const total = mistakes.reduce((sum, { lines }) => sum + lines.length, 0);
  if (total === 0) return 0;
  throw new Halt(2, `${count(total, "mistake")} in ${count(mistakes.filter(({ lines }) => lines.length > 0).length, "file")}`);
}

function findMistakes(path: string, content: FileText): string[] {
  if ("missing" in content) return [`${path}: there is no such file; write the path of a config file`];
  if ("unreadable" in content) return [`${path}: cannot be read (${content.unreadable}); write the path of a config file`];
  const parsed = parseDocument(content.text, configSchema, { file: path });
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}
