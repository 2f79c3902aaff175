/** The keys under which applications show an order's id. */
const ID_KEY = /(^|[_-])(id|uuid|ref|reference)$|^I[dD]$|[a-z](Id|ID|Uuid|Ref|Reference)$/;

/** The keys under which applications show where an order is. */
const STATUS_KEY = /status|state|stage/i;

/** Returns the JSONPaths of the values in an answer that look like an order's id, or like its status. */
export function proposePaths(answer: unknown, what: "id" | "status", path = "$"): string[] {
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([key, value]) => {
    const step = /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : JSON.stringify([key]);
    const here = `${path}${Array.isArray(answer) ? `[${key}]` : step}`;
    if (typeof value === "object") return proposePaths(value, what, here);
    return (what === "id" ? ID_KEY : STATUS_KEY).test(key) ? [here] : [];
  });
}
