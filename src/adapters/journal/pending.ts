/** A promise that is settled from outside. */
export interface Pending {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

export function pending(): Pending {
  let settle: Omit<Pending, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Often nobody waits.
  promise.catch(() => {});
  return { promise, resolve: () => settle?.resolve(), reject: (reason) => settle?.reject(reason) };
}
