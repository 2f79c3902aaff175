import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { printTo, systemTerminal } from "../../src/cli/system-terminal.ts";

test("a signal interrupts, once: a second one ends the process as if nobody listened", () => {
  const before = process.listenerCount("SIGHUP");

  const interruption = systemTerminal().interruption();
  const listening = process.listenerCount("SIGHUP");
  process.emit("SIGHUP", "SIGHUP");

  expect(listening).toBe(before + 1);
  expect(interruption.aborted).toBe(true);
  expect(process.listenerCount("SIGHUP")).toBe(before);
});

test("a verb that asks again gets the same interruption, and a second signal ends the process all the same", () => {
  const before = process.listenerCount("SIGHUP");
  const terminal = systemTerminal();

  const first = terminal.interruption();
  process.emit("SIGHUP", "SIGHUP");
  const second = terminal.interruption();

  expect(second).toBe(first);
  expect(process.listenerCount("SIGHUP")).toBe(before);
});

test("signals are left alone until somebody asks for them", () => {
  const before = process.listenerCount("SIGTERM");

  systemTerminal();

  expect(process.listenerCount("SIGTERM")).toBe(before);
});

test("whoever reads may leave: that is no fault, and is told once", () => {
  const stream = new PassThrough();
  const onUnread = vi.fn<() => void>();
  const printer = printTo(stream, onUnread);

  stream.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  printer.write("more");

  expect(onUnread).toHaveBeenCalledTimes(1);
});

test("any other failure to print is a fault", () => {
  const stream = new PassThrough();
  printTo(stream, () => {});

  expect(() => stream.emit("error", Object.assign(new Error("disk full"), { code: "ENOSPC" }))).toThrow("disk full");
});

test("a pipe is no terminal", () => {
  expect(printTo(new PassThrough(), () => {}).isTTY).toBe(false);
});
