/** Why a command of the control API or of the in-process API was not carried out; nothing was changed. */
export class ControlProblem extends Error {
  readonly status: 402 | 404 | 408 | 409 | 410 | 422;
  readonly repair: string;

  constructor(status: ControlProblem["status"], problem: string, repair: string) {
    super(problem);
    this.status = status;
    this.repair = repair;
  }
}
