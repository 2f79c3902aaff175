import type { Guess } from "../src/calibration/guess.ts";
import { GUESSES } from "../src/calibration/guesses.ts";
import { code } from "./markdown.ts";
import { profileDefaults } from "./page-tables.ts";
import type { JsonSchema } from "./openapi.ts";

/**
 * Writes the mark before each comment that names guesses, like `<!--retry-->`: "(guess)", or "(likely)" if a source supports each, with the
 * settings that change them unless a table has a column for those.
 */
export function withGuessMarks(page: string): string {
  return page
    .split("\n")
    .map((line) =>
      line.replaceAll(/\((?:guess|likely)[^)]*\)<!--([a-z0-9 -]+)-->/g, (_mark, ids: string) => {
        const guesses = ids.split(" ").map(findGuess);
        const settings = [...new Set(guesses.flatMap(({ setting }) => setting ?? []))];
        const named = line.startsWith("|") || settings.length === 0 ? "" : `: ${settings.map(code).join(", ")}`;
        return `(${markOf(guesses)}${named})<!--${ids}-->`;
      }),
    )
    .join("\n");
}

function markOf(guesses: readonly Guess[]): "guess" | "likely" {
  return guesses.every(({ certainty }) => certainty !== undefined) ? "likely" : "guess";
}

function findGuess(id: string): Guess {
  const found = GUESSES.find((guess) => guess.id === id);
  if (found === undefined) throw new Error(`docs/gateway.md marks ${id}, which is not in the table of guesses`);
  return found;
}

/** Marks each setting of the config file whose default is a guess, and adds the defaults that a profile decides. */
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
  const guesses = GUESSES.filter(({ setting }) => setting === path);
  const mark = guesses.length === 0 ? undefined : `(${markOf(guesses)})`;
  const defaults = profileDefaults(path);
  const words = [schema.description, defaults && `Default ${defaults}.`, mark].filter((part) => part !== undefined);
  return [name, words.length === 0 ? inner : { ...inner, description: words.join(" ") }];
}
