/** What kept a command from being carried out. */
export type EngineErrorKind =
  /** The account, transaction or the like does not exist. */
  | "not-found"
  /** The state it is in does not allow the command. */
  | "conflict"
  /** The command asks for something that is never possible. */
  | "invalid"
  /** The wall time for it ran out. */
  | "timed-out";

/** Why a command of the control API or of the in-process API was not carried out; nothing was changed. */
export class EngineError extends Error {
  readonly kind: EngineErrorKind;
  readonly repair: string;

  constructor(kind: EngineErrorKind, problem: string, repair: string) {
    super(problem);
    this.kind = kind;
    this.repair = repair;
  }
}
