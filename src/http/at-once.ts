// What is nearly always there is not awaited: a turn of the microtasks costs more than to ask whether there is anything to wait for.

/** Goes on with a value, at once where it is there. */
export function andThen<T, Next>(value: T | Promise<T>, goOn: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** Does something else where an attempt throws or rejects. */
export function orElse<T>(attempt: () => T | Promise<T>, instead: (problem: unknown) => T | Promise<T>): T | Promise<T> {
  try {
    const outcome = attempt();
    return outcome instanceof Promise ? outcome.catch(instead) : outcome;
  } catch (problem) {
    return instead(problem);
  }
}
