import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, inject, test } from "vitest";
import { kredo, run } from "./run.ts";

const installed = inject("installed");
const env = { ...process.env, PATH: [join(installed, "node_modules/.bin"), process.env["PATH"]].join(delimiter) };

const LINES = [
  ["kredo tri", "kredo trigger"],
  ["kredo scenario start magic", "kredo scenario start magic-numbers"],
  ["kredo serve --clock man", "kredo serve --clock manual"],
  ["kredo explore --fault refused-401", "kredo explore --fault refused-401 "],
  ["npx kredo rehearse flak", "npx kredo rehearse flaky-gateway"],
] as const;

const [bash, zsh, fish] = await Promise.all([
  kredo(installed, "completion", "bash"),
  kredo(installed, "completion", "zsh"),
  kredo(installed, "completion", "fish"),
]);

test.each(LINES)("bash completes %j to %j", async (typed, completed) => {
  const folder = folderWith("kredo.bash", `${bash}\nPS1='> '\n`);

  const shown = await pressTab(`bash --noprofile --rcfile ${join(folder, "kredo.bash")} -i`, typed, completed);

  expect(shown).toContain(completed);
});

test.each(LINES)("zsh completes %j to %j", async (typed, completed) => {
  const folder = folderWith("_kredo", zsh);
  writeFileSync(join(folder, ".zshrc"), `fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D; PS1='> '\n`);

  const shown = await pressTab(`env ZDOTDIR=${folder} zsh -d -i`, typed, completed);

  expect(shown).toContain(completed);
});

test.each(LINES)("fish completes %j to %j", async (typed, completed) => {
  const folder = folderWith("kredo.fish", fish);
  const source = `source ${join(folder, "kredo.fish")}`;

  const offered = await run(
    installed,
    "env",
    `PATH=${env.PATH}`,
    "fish",
    "-NC",
    source,
    "-c",
    `complete -C '${typed}'`,
  );

  const before = typed.slice(0, typed.lastIndexOf(" ") + 1);
  expect(offered.split("\n").map((line) => `${before}${line.split("\t")[0]}`)).toEqual([completed.trimEnd()]);
});

/** A new folder with a file. */
function folderWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kredo-completion-"));
  writeFileSync(join(folder, name), text);
  return folder;
}

/** Types a line and a tab in an interactive shell. Resolves to what the terminal shows once the line is completed, or after 30 s. */
async function pressTab(shell: string, typed: string, completed: string): Promise<string> {
  const child = spawn("timeout", ["-s", "KILL", "30", "script", "-qfec", shell, "/dev/null"], {
    cwd: installed,
    env: { ...env, TERM: "dumb" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let shown = "";
  for await (const chunk of child.stdout) {
    const isReady = shown.includes("> ");
    shown += String(chunk);
    if (!isReady && shown.includes("> ")) child.stdin.write(`${typed}\t`);
    if (shown.includes(completed)) break;
  }
  child.stdin.end("\u0003\u0004");
  child.kill("SIGTERM");
  await closed;
  return shown;
}
