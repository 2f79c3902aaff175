import { systemTerminal } from "../../src/cli/terminal/terminal.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";

/** A process has one terminal: each that is made listens to the process's own streams for good. */
export const SYSTEM = systemTerminal();

/** The process's terminal without variables, which keeps what is printed. */
export function recordingTerminal(
  changes: Partial<Terminal> = {},
  {
    onPrinted = () => {},
    columns,
  }: { readonly onPrinted?: ((text: string) => void) | undefined; readonly columns?: number | undefined } = {},
) {
  const [out, err] = [recorder(onPrinted), recorder(onPrinted)];
  const stderr = columns === undefined ? err : { ...err, isTTY: true, columns };
  const interruption = new AbortController().signal;
  const terminal: Terminal = { ...SYSTEM, env: {}, stdout: out, stderr, interruption: () => interruption, ...changes };
  return { terminal, printed: out.text, complained: err.text };
}

function recorder(onPrinted: (text: string) => void) {
  const kept: string[] = [];
  const write = (text: string): void => {
    kept.push(text);
    onPrinted(text);
  };
  return { isTTY: false, write, text: () => kept.join("") };
}
