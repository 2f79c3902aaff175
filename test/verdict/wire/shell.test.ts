import { expect, test } from "vitest";
import { runInShell } from "../../../src/verdict/application/shell.ts";

const NEVER = new AbortController().signal;

test("says nothing about a command that succeeds", async () => {
  expect(await runInShell("true | true", NEVER)).toBeUndefined();
});

test("says the exit code, and the end of a long output", async () => {
  const wrong = await runInShell("head -c 5000 /dev/zero | tr '\\0' x; echo; echo oh >&2; exit 3", NEVER);

  expect(wrong).toMatch(/^the command ended with 3: x{100,} oh$/);
  expect(await runInShell("echo oh >&2; exit 3", NEVER)).toBe("the command ended with 3: oh");
});

test("stops a command that takes too long", async () => {
  expect(await runInShell("sleep 600", NEVER, 20)).toBe("the command did not end within 20ms");
});

// It answers when nobody holds the command's output open any more: a child that lived on would keep it from answering.
test("stops a command and its children when the signal aborts", async () => {
  const controller = new AbortController();
  const running = runInShell("sleep 600 & wait", controller.signal);

  controller.abort();

  expect(await running).toBe("the command was stopped");
});

test("does not start a command once the signal has aborted", async () => {
  expect(await runInShell("true", AbortSignal.abort())).toMatch(/was not started/);
});

test("says which signal ended a command", async () => {
  expect(await runInShell("kill -KILL $$", NEVER)).toBe("the command ended with SIGKILL");
});
