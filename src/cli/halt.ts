/** 0 well, 1 a check failed, 2 bad input or config, 3 a target could not be reached. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Ends a verb early; its message, if it has one, is for the person at the terminal. */
export class Halt extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
