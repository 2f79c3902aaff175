import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const PARSER = fileURLToPath(new URL("Parse.java", import.meta.url));

/** Snippets that use libraries which are not here are read by their language, and not run. */
export async function checkPhp(text: string): Promise<void> {
  await run("php", ["-l", written("snippet.php", text.startsWith("<?php") ? text : `<?php\n${text}\n`)]);
}

/** Statements, or a whole file. */
export async function checkJava(text: string): Promise<void> {
  const whole = /\bclass\b/.test(text) ? text : `class Snippet {\n  void snippet() throws Exception {\n${text}\n  }\n}\n`;
  await run("java", [PARSER, written("Snippet.java", whole)]);
}

export async function checkPython(text: string): Promise<void> {
  await run("python3", ["-m", "py_compile", written("snippet.py", `${text}\n`)]);
}

function written(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-snippet-")), name);
  writeFileSync(file, text);
  return file;
}
