/** Does a job at the end of this turn of the event loop, when all that has come in it has been read. */
export type TurnsEnd = (job: () => void) => void;
