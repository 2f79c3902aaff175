import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { printTo, systemTerminal } from "../../../src/cli/terminal/terminal.ts";

test("a signal interrupts, and a second one at once changes nothing: whatever is being restored is completed", () => {
  fakeTimers();
  const before = process.listenerCount("SIGHUP");

  const interruption = systemTerminal().interruption();
  process.emit("SIGHUP", "SIGHUP");
  vi.advanceTimersByTime(2_999);
  process.emit("SIGHUP", "SIGHUP");

  expect(interruption.aborted).toBe(true);
  expect(process.listenerCount("SIGHUP")).toBe(before + 1);
  vi.advanceTimersByTime(1);
});

test("a signal three seconds after the first ends the process at once, even if a command has asked for signals again", () => {
  fakeTimers();
  const before = process.listenerCount("SIGHUP");
  const terminal = systemTerminal();

  const first = terminal.interruption();
  process.emit("SIGHUP", "SIGHUP");
  vi.advanceTimersByTime(3_000);
  const second = terminal.interruption();

  expect(second).toBe(first);
  expect(process.listenerCount("SIGHUP")).toBe(before);
});

test("all orders that wait at once can listen for an interruption without a warning", () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const signal = systemTerminal().interruption();

  Array.from({ length: 11 }, () => signal.addEventListener("abort", () => {}));

  expect(warned).not.toHaveBeenCalled();
});

test("signals are not handled until a command asks for them", () => {
  const before = process.listenerCount("SIGTERM");

  systemTerminal();

  expect(process.listenerCount("SIGTERM")).toBe(before);
});

test("a reader that closes its pipe is not a fault, and is reported once", () => {
  const stream = new PassThrough();
  const onUnread = vi.fn<() => void>();
  const printer = printTo(stream, onUnread);

  stream.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  printer.write("more");

  expect(onUnread).toHaveBeenCalledTimes(1);
});

test("any other write error is a fault", () => {
  const stream = new PassThrough();
  printTo(stream, () => {});

  expect(() => stream.emit("error", Object.assign(new Error("disk full"), { code: "ENOSPC" }))).toThrow("disk full");
});

test("a pipe is no terminal", () => {
  expect(printTo(new PassThrough(), () => {}).isTTY).toBe(false);
});

function fakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  [120, 120],
  [0, undefined],
  [undefined, undefined],
])("a terminal with %s columns reports %s", (columns, said) => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });

  expect(printTo(stream, () => {}).columns).toBe(said);
});
