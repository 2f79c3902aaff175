/** Returns the value at a path in unknown JSON; undefined if there is none. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    return Reflect.get(value, step);
  }, json);
}

export function textAt(json: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = valueAt(json, ...path);
  return typeof value === "string" ? value : undefined;
}

export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = valueAt(json, ...path);
  return typeof value === "number" ? value : undefined;
}

export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}
