/** Resolves at the end of this turn of the event loop, for all who wait for it together. */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}

let end: Promise<void> | undefined;
