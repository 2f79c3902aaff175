import type { Guess } from "../src/calibration/guess.ts";
import { GUESSES } from "../src/calibration/guesses.ts";
import { code } from "./markdown.ts";
import type { JsonSchema } from "./openapi.ts";

/**
 * Writes the mark before each comment that names guesses, like `<!--retry-->`: "(guess)", with the settings that change them unless a
 * table has a column for those. Before `<!--known retry-->`, fills the cell with how it is known.
 */
export function withGuessMarks(page: string): string {
  return page
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\(guess[^)]*\)<!--([a-z0-9 -]+)-->/g, (_mark, ids: string) => {
          const settings = ids.split(" ").flatMap((id) => findGuess(id).setting ?? []);
          const named = line.startsWith("|") || settings.length === 0 ? "" : `: ${settings.map(code).join(", ")}`;
          return `(guess${named})<!--${ids}-->`;
        })
        .replace(
          /[^|]*<!--known ([a-z0-9-]+)-->/,
          (_cell, id: string) => ` ${howKnown(findGuess(id))}<!--known ${id}-->`,
        ),
    )
    .join("\n");
}

function howKnown({ source = "guess", date }: Guess): string {
  return source.startsWith("observed") ? `${source}, ${date}` : source;
}

function findGuess(id: string): Guess {
  const found = GUESSES.find((guess) => guess.id === id);
  if (found === undefined) throw new Error(`docs/gateway.md marks ${id}, which is not in the table of guesses`);
  return found;
}

/** Marks each setting of the config file whose default is a guess. */
export function withGuesses(schema: JsonSchema, path = ""): JsonSchema {
  const { properties, items } = schema;
  const variants = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) => {
    const those = schema[key];
    return those === undefined ? [] : [[key, those.map((one) => withGuesses(one, path))] as const];
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map((one) => marked(one, path))) }),
    ...(typeof items === "object" && !Array.isArray(items) && { items: withGuesses(items, `${path}[]`) }),
    ...Object.fromEntries(variants),
  };
}

function marked([name, schema]: [string, JsonSchema | boolean], above: string): [string, JsonSchema | boolean] {
  if (typeof schema === "boolean") return [name, schema];
  const path = `${above === "" ? "" : `${above}.`}${above === "carriers" ? "NAME" : name}`;
  const inner = withGuesses(schema, path);
  if (!GUESSES.some(({ setting }) => setting === path)) return [name, inner];
  return [name, { ...inner, description: `${schema.description ?? ""} (guess)`.trim() }];
}
