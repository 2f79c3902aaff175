import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/commands.ts";
import { run } from "../../../src/cli/run.ts";
import { playSandbox } from "../../support/played-sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";

/** What may come next after a line; its last word is not finished yet. */
async function complete(line: string, env: Record<string, string> = {}): Promise<string[]> {
  const terminal = fakeTerminal({ env });
  await run(["completion", "words", "--", ...line.split(" ")], terminal);
  return terminal.printed().trimEnd().split("\n");
}

test("completes commands with their meaning", async () => {
  expect(await complete("se")).toEqual(["serve\trun the sandbox (default)", "send\tsend airtime or an SMS"]);
  expect(await complete("")).toHaveLength(COMMANDS.length);
});

test.each([
  ["send a", "airtime\tSend airtime and print the acknowledgment."],
  [
    "send airtime 254712345678 --wa",
    "--wait\twait up to 30s for the result and print it; exit code 1 unless it succeeded",
  ],
  ["serve --clock m", "manual"],
  ["transactions --state st", "stuck"],
  ["serve --scenario magic", "magic-numbers"],
  ["scenario start magic", "magic-numbers"],
  ["trigger refused-401", "refused-401"],
  ["explore --fault refused-401", "refused-401"],
  ["rehearse flaky", "flaky-gateway"],
  ["clock r", "real"],
  ["docs quick", "quick-start"],
])("completes %j with %j", async (line, candidate) => {
  expect(await complete(line)).toEqual([candidate]);
});

test("completes accounts and active scenarios of the running sandbox, and nothing where none answers", async () => {
  await using sandbox = await playSandbox({
    "GET /__admin/accounts": { json: { items: [{ consumer_key: "test-1" }, { consumer_key: "other" }] } },
    "GET /__admin/accounts/default/scenarios": { json: { items: [{ name: "mine" }] } },
  });

  expect(await complete("balance --account te", { KREDO_URL: sandbox.url })).toEqual(["test-1"]);
  expect(await complete(`scenario stop --url ${sandbox.url} mi`)).toEqual(["mine"]);
  expect(await complete("balance --account te", { KREDO_URL: "http://127.0.0.1:1" })).toEqual([""]);
});

test.each([
  ["kredo se", "<completion><words><--><se>"],
  ["kredo send airtime ", "<completion><words><--><send><airtime><>"],
  ["npx kredo se", "<--no-install><kredo><completion><words><--><se>"],
])("bash asks for %j with %j, and offers the words without their meaning", async (line, asked) => {
  const terminal = fakeTerminal();
  await run(["completion", "bash"], terminal);
  const words = line.split(" ");
  const script = `${terminal.printed()}
answer() { printf "<%s>" "$@" >&2; printf "serve\\tone\\nsend\\ttwo\\n"; }
kredo() { answer "$@"; }
npx() { answer "$@"; }
COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; exec 2>&1; _kredo; printf "%s|" "\${COMPREPLY[@]}"`;

  const printed = execFileSync("bash", ["-c", script.replace("2>/dev/null", "")], { encoding: "utf8" });

  expect(printed).toBe(`${asked}serve|send|`);
});

test.each(["bash", "zsh", "fish"])("the script for %s asks kredo itself", async (shell) => {
  const terminal = fakeTerminal();

  const exitCode = await run(["completion", shell], terminal);

  expect(exitCode).toBe(0);
  expect(terminal.printed()).toContain("completion words -- ");
});
