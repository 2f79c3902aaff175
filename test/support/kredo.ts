import { run } from "../../src/cli/run.ts";
import { type Play, playSandbox } from "./played-sandbox.ts";
import { fakeTerminal, type FakeTerminalOptions } from "./terminal.ts";

/** Runs `kredo` with these words until it ends, and returns how it ended and what it said. */
export async function kredo(words: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal(options);
  const exitCode = await run(words, terminal);
  return { exitCode, printed: terminal.printed(), complained: terminal.complained() };
}

/** Runs `kredo` against a sandbox that answers as played; in what it says, URL stands for the sandbox's. */
export async function askPlayed(words: readonly string[], play: Play, options: FakeTerminalOptions = {}) {
  await using sandbox = await playSandbox(play);
  const { exitCode, printed, complained } = await kredo([...words, "--url", sandbox.url], options);
  const unnamed = (text: string): string => text.replaceAll(sandbox.url, "URL");
  return { exitCode, printed: unnamed(printed), complained: unnamed(complained), calls: sandbox.calls };
}
