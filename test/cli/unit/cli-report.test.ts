import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { reportShape } from "../../../src/verdict/report/report.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

/** A sandbox whose receiver is not there, after one order. */
async function used() {
  const sandbox = await startTestSandbox({ accounts: [{ callbacks: { airtime: "http://127.0.0.1:1/hook" } }] });
  await sendAirtime(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  return Object.assign(sandbox, { url: `http://127.0.0.1:${sandbox.port}` });
}

test("prints what the traffic shows", async () => {
  await using sandbox = await used();

  const { exitCode, printed } = await kredo(["report", "--url", sandbox.url]);

  expect(exitCode).toBe(0);
  expect(printed).toMatch(/^account sandbox-key\n/);
  expect(printed).toContain("risk: callback-unreachable");
});

test("draws the balance, and the life of an order that was sold twice, with colors on a terminal alone", async () => {
  await using sandbox = await startTestSandbox({
    latency_ms: 1_000,
    accounts: [{ callbacks: { airtime: "kredo:sink" } }],
  });
  await script(sandbox.account, rule("when: { first: 1 }, then: { connection: reset_after_accept }"));
  const words = ["report", "--url", `http://127.0.0.1:${sandbox.port}`];
  await expect(sendAirtime(sandbox)).rejects.toThrow("fetch failed");
  await sendAirtime(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);

  const piped = await kredo(words);
  const colored = await kredo(words, { isTTY: true });
  const plain = await kredo(words, { isTTY: true, env: { NO_COLOR: "1" } });

  expect(piped.printed.split("\n").slice(1, 6)).toEqual([
    "Balance 10,000.00 █▅▁▁▁ 9,810.00, lowest 9,810.00",
    "",
    "1. SOLD TWICE: An order was sold twice after a lost acknowledgment.",
    "   asked  no answer  asked again  delivered  told  delivered again  told",
    "   ●──────×──────────●────1.0s────●──────────●─────●────────────────●",
  ]);
  expect(colored.printed).toContain("\u001b[31mno answer  \u001b[39m");
  expect(plain.printed).not.toContain("\u001b");
});

test("is exit code 1 where --fail-on counts what it shows, and 3 where no request arrived", async () => {
  await using sandbox = await used();
  await using unused = await startTestSandbox({});

  expect(await report(sandbox.url, "--fail-on", "risk")).toBe(1);
  expect(await report(`http://127.0.0.1:${unused.port}`)).toBe(3);
});

test("--json prints the control API's report", async () => {
  await using sandbox = await used();

  const { printed } = await kredo(["report", "--json", "--url", sandbox.url]);

  expect(() => reportShape.parse(JSON.parse(printed))).not.toThrow();
});

test("writes each file in the format of its extension", async () => {
  await using sandbox = await used();
  const folder = mkdtempSync(join(tmpdir(), "kredo-"));
  const files = ["a.html", "a.xml", "a.json"].map((name) => join(folder, name));

  const { exitCode, complained } = await kredo(["report", ...files, "--url", sandbox.url]);

  expect(exitCode).toBe(0);
  expect(files.map((file) => readFileSync(file, "utf8").slice(0, 5))).toEqual(["<!doc", "<?xml", '{\n  "']);
  expect(complained).toBe(files.map((file) => `wrote ${file}\n`).join(""));
});

test("asks nothing if a file cannot be written", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "kredo-")), "not-there", "a.xml");
  const [first, second] = [fakeTerminal(), fakeTerminal()];

  expect(await run(["report", "a.pdf"], first)).toBe(2);
  expect(await run(["report", path], second)).toBe(2);

  expect(first.complained()).toBe('FILE: "a.pdf" has no known extension; end it with .json, .xml (JUnit) or .html\n');
  expect(second.complained()).toContain(`FILE: ${path} cannot be written (`);
  expect(existsSync(path)).toBe(false);
});

function report(url: string, ...flags: string[]): Promise<number> {
  return run(["report", "--url", url, ...flags], fakeTerminal());
}
