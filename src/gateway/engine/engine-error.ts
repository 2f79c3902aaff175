/** Why a command was not carried out. */
export type EngineErrorKind =
  /** The account, transaction or other object does not exist. */
  | "not-found"
  /** The current state does not allow the command. */
  | "conflict"
  /** The command is never possible. */
  | "invalid"
  /** The wall-time limit ran out. */
  | "timed-out";

/** Thrown if a command of the control API or the in-process API was not carried out. Nothing was changed. */
export class EngineError extends Error {
  readonly kind: EngineErrorKind;
  readonly repair: string;

  constructor(kind: EngineErrorKind, problem: string, repair: string) {
    super(problem);
    this.kind = kind;
    this.repair = repair;
  }
}
