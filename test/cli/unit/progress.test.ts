import { expect, test } from "vitest";
import { progressOn } from "../../../src/cli/terminal/output.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("rewrites one line on a terminal, and leaves nothing behind", () => {
  const terminal = fakeTerminal({ isTTY: true });
  const progress = progressOn(terminal);

  progress.say("step 1");
  progress.say("x".repeat(200));
  progress.clear();

  expect(terminal.complained()).toBe(`\r\u001b[2Kstep 1\r\u001b[2K${"x".repeat(79)}\r\u001b[2K`);
});

test("writes a line for each thing elsewhere", () => {
  const terminal = fakeTerminal();
  const progress = progressOn(terminal);

  progress.say("step 1");
  progress.say("step 2");
  progress.clear();

  expect(terminal.complained()).toBe("step 1\nstep 2\n");
});

test("lets no text of a file control the terminal", () => {
  const terminal = fakeTerminal({ isTTY: true });

  progressOn(terminal).say("a\u001b[31m\nb");

  expect(terminal.complained()).toBe("\r\u001b[2Ka [31m b");
});
