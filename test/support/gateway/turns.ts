/** Lets everything happen that is ready to: all promises that are settled, and what follows from them. */
export function allReady(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
