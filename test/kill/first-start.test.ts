import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { startProcess } from "./sandbox-process.ts";

const NODE = process.env["NODE_WITH_SQLITE"] ?? process.execPath;

test.each([0, 0.4, 0.8, 1.2, 1.6, 2, 3, 4, 6])(
  "a first start that is killed %d ms after it made something leaves nothing that the next start refuses",
  async (millis) => {
    const folder = mkdtempSync(join(tmpdir(), "kredo-first-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const words = ["--data", join(folder, "kredo.db")];
    const command = inject("command");
    const first = spawn(NODE, [command, "serve", "--port", "0", ...words], { cwd: folder, stdio: "ignore" });
    const gone = once(first, "exit");
    spinUntilMade(folder);
    spin(millis);
    first.kill("SIGKILL");
    await gone;

    const second = await startProcess({ command, folder, words, config: "", node: NODE });
    await second.kill("SIGTERM");

    expect(second.said()).not.toContain('"warn"');
    expect(readdirSync(folder)).toEqual(["kredo.db"]);
  },
);

/** The moments are shorter than a turn of the event loop may be. */
function spin(millis: number): void {
  const begun = performance.now();
  while (performance.now() - begun < millis);
}

function spinUntilMade(folder: string): void {
  const begun = performance.now();
  while (readdirSync(folder).length === 0)
    if (performance.now() - begun > 60_000) throw new Error("the sandbox made no file");
}
