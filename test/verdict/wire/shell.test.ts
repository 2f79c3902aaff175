import { expect, test } from "vitest";
import { runInShell } from "../../../src/verdict/application/shell.ts";

const LONG = 600_000;
const NEVER = new AbortController().signal;

test("answers the exit code and both outputs of a line with pipes and variables", async () => {
  const ended = await runInShell(
    { command: "echo $WORD | tr a-z A-Z; echo oh >&2; exit 3", environment: { WORD: "hello" }, limit: LONG },
    NEVER,
  );

  expect(ended).toEqual({ kind: "exited", code: 3, text: "HELLO\n", complaint: "oh\n" });
});

test("keeps the end of a long output", async () => {
  const ended = await runInShell(
    { command: "head -c 1500000 /dev/zero | tr '\\0' x; echo end", environment: {}, limit: LONG },
    NEVER,
  );

  expect(ended).toMatchObject({ kind: "exited", code: 0, text: expect.stringMatching(/^x{1048572}end\n$/) });
});

test("stops a command that takes too long", async () => {
  const ended = await runInShell({ command: "sleep 600", environment: {}, limit: 20 }, NEVER);

  expect(ended).toEqual({ kind: "cut short", reason: "did not end within 20ms" });
});

// It answers when nobody holds the command's output open any more: a child that lived on would keep it from answering.
test("stops a command and what it began when the signal says so", async () => {
  const controller = new AbortController();
  const running = runInShell({ command: "sleep 600 & wait", environment: {}, limit: LONG }, controller.signal);

  controller.abort();

  expect(await running).toEqual({ kind: "cut short", reason: "was stopped with the rehearsal" });
});

test("does not begin a command once the signal has said so", async () => {
  const ended = await runInShell({ command: "true", environment: {}, limit: LONG }, AbortSignal.abort());

  expect(ended).toMatchObject({ kind: "cut short" });
});

test("says which signal ended a command", async () => {
  const ended = await runInShell({ command: "kill -KILL $$", environment: {}, limit: LONG }, NEVER);

  expect(ended).toEqual({ kind: "cut short", reason: "was ended by SIGKILL" });
});
