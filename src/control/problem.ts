/** One of several mistakes in a request: where, what, and how to repair it. */
export interface RequestMistake {
  readonly path: string;
  /** Its position in a submitted text, counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly problem: string;
  readonly repair: string;
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 413 | 415 | 421 | 422;

interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems?: readonly RequestMistake[];
  /** Additional fields of the response, such as what is still pending. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Ends a request to the control API or the dashboard with a status, the problem and its repair. */
export class HttpProblem extends Error {
  readonly status: ProblemStatus;
  readonly repair: string;
  readonly details: ProblemDetails;

  constructor(
    status: ProblemStatus,
    [problem, repair]: readonly [problem: string, repair: string],
    details: ProblemDetails = {},
  ) {
    super(problem);
    this.status = status;
    this.repair = repair;
    this.details = details;
  }
}
