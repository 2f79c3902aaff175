/** 0 success, 1 a check failed, 2 wrong input or config, 3 a target could not be reached. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Ends a command early; its message, if any, is for the person at the terminal. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
