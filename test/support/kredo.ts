import { run } from "../../src/cli/run.ts";
import { fakeTerminal, type FakeTerminalOptions } from "./terminal.ts";

/** Runs `kredo` with these words until it ends, and returns how it ended and what it said. */
export async function kredo(words: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal(options);
  const exitCode = await run(words, terminal);
  return { exitCode, printed: terminal.printed(), complained: terminal.complained() };
}
