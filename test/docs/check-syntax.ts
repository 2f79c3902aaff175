import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const PARSER = fileURLToPath(new URL("Parse.java", import.meta.url));

/** A tool that is not on this machine. */
export class Missing extends Error {
  readonly tool: string;

  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.tool = tool;
  }
}

/** Whether a command, or a file by its path, is on this machine. */
export async function isHere(tool: string): Promise<boolean> {
  return run("sh", ["-c", 'command -v "$1" || test -e "$1"', "sh", tool]).then(
    () => true,
    () => false,
  );
}

/** Snippets that use libraries which are not here are read by their language, and not run. */
export async function checkPhp(text: string): Promise<void> {
  await expectTool("php");
  await run("php", ["-l", written("snippet.php", text.startsWith("<?php") ? text : `<?php\n${text}\n`)]);
}

/** Statements, or a whole file. */
export async function checkJava(text: string): Promise<void> {
  const whole = /\bclass\b/.test(text)
    ? text
    : `class Snippet {\n  void snippet() throws Exception {\n${text}\n  }\n}\n`;
  await expectTool("java");
  await run("java", [PARSER, written("Snippet.java", whole)]);
}

export async function checkPython(text: string): Promise<void> {
  await expectTool("python3");
  await run("python3", ["-m", "py_compile", written("snippet.py", `${text}\n`)]);
}

async function expectTool(tool: string): Promise<void> {
  if (!(await isHere(tool))) throw new Missing(tool);
}

function written(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-snippet-")), name);
  writeFileSync(file, text);
  return file;
}
