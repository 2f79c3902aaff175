import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inject } from "vitest";

/** Runs a command in a folder and gives what it printed; rejects with its exit code and its complaints. */
export async function run(cwd: string, command: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, words, { cwd, env: { ...process.env, NO_COLOR: "1" } });
  return stdout.trim();
}

/** For a Java that ends within seconds: compiling what is used often, and collecting garbage in threads, would cost more than they save. */
export const SHORT_LIVED_JAVA = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Runs the installed command. */
export function kredo(cwd: string, ...words: string[]): Promise<string> {
  return run(cwd, join(inject("installed"), "node_modules/.bin/kredo"), ...words);
}

/** Runs a program that stands in a file of the project. */
export function node(project: string, name: string, program: string): Promise<string> {
  const file = join(folderIn(project), name);
  writeFileSync(file, program);
  return run(project, process.execPath, file);
}

/** A folder from where the project's packages are found. */
export function folderIn(project: string): string {
  return mkdtempSync(join(project, "folder-"));
}

export interface Serving extends AsyncDisposable {
  readonly url: string;
}

/** Runs the installed `kredo serve` until it is ready. */
export async function serve(cwd: string): Promise<Serving> {
  const child = spawn("npx", ["--no-install", "kredo", "serve", "--port", "0", "--latency", "0"], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const closed = once(child, "close");
  let url = "";
  for await (const line of createInterface(child.stdout)) {
    url ||= /http:\/\/\S+/.exec(line)?.[0] ?? "";
    if (line === "Ready.") break;
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      // npx is a shell's parent: the signal goes to the whole group.
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await closed;
    },
  };
}
