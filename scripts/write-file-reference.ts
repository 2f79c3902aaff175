import type { JsonSchema } from "./openapi.ts";
import { type Documented, listFields } from "./list-fields.ts";
import { anchor, code, type Field, keyTable } from "./markdown.ts";

interface Opening {
  readonly title: string;
  /** The introduction, line by line. */
  readonly about: readonly string[];
  /** The schema's path in the package. */
  readonly path: string;
  /** What other pages document. */
  readonly elsewhere?: Documented;
}

/** Writes the reference page of a file's keys: one table for the top-level keys, and one for each of them that has keys of its own. */
export function writeFileReference({ title, about, path: file, elsewhere }: Opening, schema: JsonSchema): string {
  const fields = listFields(schema, elsewhere);
  const top = fields.filter(({ path }) => !isBelow(path));
  const deep = top.filter(({ path }) => fields.some((field) => isUnder(field, path)));
  return [
    `# ${title}`,
    "",
    ...about,
    `Generated from \`${file}\`, which editors can use for completion. Keys in bold are required.`,
    "",
    ...keyTable(top, (path) =>
      deep.some((field) => field.path === path) ? `[${code(path)}](#${anchor(path)})` : code(path),
    ),
    ...deep.flatMap((field) => [
      "",
      `## ${field.path}`,
      "",
      field.about,
      "",
      ...keyTable(
        fields.filter((other) => isUnder(other, field.path)),
        (path) => code(path.slice(field.path.length).replace(/^\./, "")),
      ),
    ]),
    "",
  ].join("\n");
}

function isBelow(path: string): boolean {
  return /[.[]/.test(path.replace("$schema", "schema"));
}

function isUnder({ path }: Field, top: string): boolean {
  return path.startsWith(`${top}.`) || path.startsWith(`${top}[`);
}
