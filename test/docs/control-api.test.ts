import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { EXAMPLE_ACCOUNT, EXAMPLES, EXPLORATION, pick } from "../../scripts/api-examples.ts";
import { curlOf } from "../../scripts/curl-examples.ts";
import { createSandbox } from "../../src/index.ts";

const { consumer_key: key, consumer_secret: secret } = EXAMPLE_ACCOUNT;

test("each command on the control API's page makes a call that is accepted", async () => {
  await using sandbox = await createSandbox({ seed: 7, clock: "manual" });

  const refused = await refusedCommands(sandbox.url);

  expect(refused).toEqual([]);
});

/** Runs the commands in the order in which each succeeds on a fresh sandbox. */
async function refusedCommands(url: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-curl-"));
  writeFileSync(join(folder, "exploration.json"), JSON.stringify(EXPLORATION));
  const saved = new Map<string, string>();
  const refused: string[] = [];
  for (const example of EXAMPLES) {
    const command = [...saved].reduce((text, [name, value]) => text.replaceAll(name, value), curlOf(example));
    const printed = await runHere(command, url, folder);
    if (printed.startsWith("curl: ")) refused.push(`${command}\n${printed}`);
    for (const [name, path] of Object.entries(example.saves ?? {}))
      if (path.length > 0) saved.set(name.toUpperCase(), pick(printed, path));
  }
  return refused;
}

/** Runs a command of the page for the account that the examples open. */
async function runHere(command: string, url: string, folder: string): Promise<string> {
  const script = command
    .replace(/^curl /, "curl --fail --silent --show-error ")
    .replaceAll("http://127.0.0.1:8254", url)
    .replace("/accounts/default/", `/accounts/${key}/`)
    .replace("sandbox-key:sandbox-secret", `${key}:${secret}`);
  const { stdout } = await promisify(execFile)("sh", ["-c", `${script} 2>&1 || true`], { cwd: folder });
  return stdout;
}
