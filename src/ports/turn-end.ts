/** Resolves at the end of this turn of the event loop, when everything that came in it has been read. */
export type TurnEnd = () => Promise<void>;
