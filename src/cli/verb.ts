import type { ExitCode } from "./halt.ts";
import type { Terminal } from "./terminal.ts";

export interface Flag {
  readonly name: string;
  /** What its value is, in capitals; a flag without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** The environment variables that say the same. */
  readonly variables?: readonly string[];
}

/** What a verb is, to those who want to read about it. */
export interface Manual {
  /** The ways to call it, each beginning with the verb. */
  readonly usage: readonly string[];
  readonly about: string;
  readonly flags: readonly Flag[];
}

/** One thing that the command can do. */
export interface Verb extends Manual {
  readonly run: (said: Said, terminal: Terminal) => Promise<ExitCode>;
}

/** A verb that runs somebody else's command, whose words and exit codes are its own. */
export interface Wrapper extends Manual {
  readonly wrap: (words: readonly string[], terminal: Terminal) => Promise<number>;
}

/** What was written after the verb. */
export interface Said {
  readonly words: readonly string[];
  /** The text after each flag; empty for a switch. */
  readonly flags: ReadonlyMap<string, string>;
  /** Each text after each flag, in order, for flags that may be given again and again. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}
