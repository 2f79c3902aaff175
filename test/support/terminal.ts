import { type ManualWallClock, manualWallClock } from "./gateway/manual-wall-clock.ts";
import type { Printer, Terminal } from "../../src/cli/terminal/terminal.ts";

/** A terminal that remembers what was printed; its clock stands still but for the pauses that are taken on it. */
export interface FakeTerminal extends Terminal {
  readonly clock: ManualWallClock;
  /** All that was printed on standard output. */
  readonly printed: () => string;
  /** All that was printed on standard error. */
  readonly complained: () => string;
  readonly pauses: number[];
  /** As Ctrl-C does. */
  readonly interrupt: () => void;
  /** Resolves once the text stands on either stream. */
  readonly untilSaid: (text: string) => Promise<void>;
}

export interface FakeTerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function fakeTerminal({
  env = {},
  files = {},
  stdin = "",
  isTTY = false,
  columns = 80,
}: FakeTerminalOptions = {}): FakeTerminal {
  const clock = manualWallClock(Date.parse("2025-01-06T06:00:00Z"));
  const controller = new AbortController();
  const out = recorder({ isTTY, columns });
  const err = recorder({ isTTY, columns });
  const pauses: number[] = [];
  return {
    stdout: out.printer,
    stderr: err.printer,
    env,
    files: { read: (path) => (files[path] === undefined ? { missing: true } : { text: files[path] }) },
    clock,
    pause: async (wait) => {
      pauses.push(wait);
      clock.advance(wait);
    },
    async *stdin() {
      yield stdin;
    },
    interruption: () => controller.signal,
    printed: out.text,
    complained: err.text,
    pauses,
    interrupt: () => controller.abort(),
    untilSaid: (text) => Promise.race([out.until(text), err.until(text)]),
  };
}

function recorder(shape: Pick<Printer, "isTTY" | "columns">) {
  const watchers = new Set<() => void>();
  let written = "";
  const text = (): string => written;
  const printer = {
    ...shape,
    write: (more: string) => {
      written += more;
      for (const watcher of watchers) watcher();
    },
  };
  const until = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      watchers.add(check);
      check();

      function check(): void {
        if (!written.includes(wanted)) return;
        watchers.delete(check);
        resolve();
      }
    });
  return { printer, text, until };
}
