import type { Terminal } from "./terminal.ts";

export interface Flag {
  readonly name: string;
  /** The name of its value, in capitals; a flag without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** Environment variables with the same meaning. The flag wins over them. */
  readonly variables?: readonly string[];
  /** The only values that it accepts. */
  readonly choices?: readonly string[];
  /** May be given more than once; otherwise the last one counts. */
  readonly isRepeatable?: boolean;
  /** The heading under which help lists it. Defaults to "Options:". */
  readonly group?: string;
}

/** One thing that `kredo` can do. */
export interface Command {
  readonly name: string;
  readonly about: string;
  /** The arguments in commander's syntax: "<AMOUNT>", "[URL]", "<FILE...>". */
  readonly arguments?: readonly string[];
  /** What help shows after the command's name, if the arguments are not enough. */
  readonly usage?: string;
  /** Whether its first argument begins another command's line, to which everything after it belongs. */
  readonly runsCommand?: boolean;
  readonly flags: readonly Flag[];
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** The documentation page: a file's name in docs/. Defaults to "quick-start". */
  readonly docs?: string;
  /** Returns the exit code: 0 to 3 (see `ExitCode`), or that of a command it ran. */
  readonly run: (args: ParsedArgs, terminal: Terminal) => Promise<number>;
}

/** Commands that share their first word, such as `send airtime` and `send sms`. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

/** A row of `kredo --help`. The code of a command is loaded when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly load: () => Promise<Command | CommandGroup>;
}

/** A command line after the command's name. */
export interface ParsedArgs {
  readonly words: readonly string[];
  /** The text after each flag; empty for a switch. */
  readonly flags: ReadonlyMap<string, string>;
  /** The texts after each repeatable flag, in order. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}
