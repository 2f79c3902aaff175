/** Why what a page shows is nowhere in what was printed, as whole lines where `…` stands for anything; undefined where it is. */
export function unlikeText(shown: string, printed: string): string | undefined {
  const wanted = shown
    .trim()
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join("[^]*?");
  const isLike = new RegExp(`^${wanted}$`, "m").test(withoutTrail(printed));
  return isLike ? undefined : `what was printed is\n${printed}`;
}

/** Trailing spaces, and the carriage returns of HTTP, are not seen. */
function withoutTrail(printed: string): string {
  return printed.trim().replaceAll(/[ \t\r]+$/gm, "");
}

/** The same for JSON: "…" as a value stands for any, as a key for whatever other keys there are, in a list for any further ones. */
export function unlikeJson(shown: unknown, real: unknown, path = "$"): string | undefined {
  if (shown === "…") return undefined;
  if (Array.isArray(shown)) return unlikeList(shown, real, path);
  if (typeof shown === "object" && shown !== null) return unlikeMapping(new Map(Object.entries(shown)), real, path);
  return shown === real || isLikeText(shown, real) ? undefined : `${path} is ${JSON.stringify(real)}`;
}

function isLikeText(shown: unknown, real: unknown): boolean {
  return (
    typeof shown === "string" &&
    shown.includes("…") &&
    typeof real === "string" &&
    unlikeText(shown, real) === undefined
  );
}

function unlikeList(shown: readonly unknown[], real: unknown, path: string): string | undefined {
  if (!Array.isArray(real)) return `${path} is ${JSON.stringify(real)}`;
  const isOpen = shown.at(-1) === "…";
  const named = isOpen ? shown.slice(0, -1) : shown;
  if (real.length < named.length || (!isOpen && real.length > named.length)) return `${path} has ${real.length} items`;
  return named
    .map((item, index) => unlikeJson(item, real[index], `${path}[${index}]`))
    .find((unlike) => unlike !== undefined);
}

function unlikeMapping(shown: ReadonlyMap<string, unknown>, real: unknown, path: string): string | undefined {
  if (typeof real !== "object" || real === null) return `${path} is ${JSON.stringify(real)}`;
  const found = new Map(Object.entries(real));
  const unnamed = [...found.keys()].filter((key) => !shown.has(key));
  if (unnamed.length > 0 && !shown.has("…")) return `${path} has ${unnamed.join(", ")}, too`;
  const named = [...shown].filter(([key]) => key !== "…");
  return named
    .map(([key, value]) =>
      found.has(key) ? unlikeJson(value, found.get(key), `${path}.${key}`) : `${path} has no ${key}`,
    )
    .find((unlike) => unlike !== undefined);
}
