import { systemTerminal } from "../../src/cli/system-terminal.ts";

/** A process has one terminal: each that is made listens to the process's own streams for good. */
export const SYSTEM = systemTerminal();
