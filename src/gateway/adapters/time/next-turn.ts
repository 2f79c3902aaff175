/** Resolves in the next turn of the event loop. */
export { setImmediate as nextTurn } from "node:timers/promises";
