import type { TurnEnd } from "../../ports/turn-end.ts";

/** One promise for everybody who asks in the same turn, so that they go on together. */
export function sharedTurnEnd(): TurnEnd {
  let end: Promise<void> | undefined;
  return () =>
    (end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    }));
}
