import type { JsonSchema } from "./openapi.ts";
import { type Documented, listFields } from "./list-fields.ts";
import { anchor, code, type Field, keyList } from "./markdown.ts";

interface Opening {
  readonly title: string;
  /** The introduction, line by line. */
  readonly about: readonly string[];
  /** The schema's path in the package. */
  readonly path: string;
  /** What other pages document. */
  readonly elsewhere?: Documented;
}

/** Writes the reference page of a file's keys: those of the top level, and a section for each of them that has keys of its own. */
export function writeFileReference({ title, about, path: file, elsewhere }: Opening, schema: JsonSchema): string {
  const fields = listFields(schema, elsewhere);
  const top = fields.filter(({ path }) => !isBelow(path));
  const deep = top.filter(({ path }) => fields.some((field) => isUnder(field, path)));
  return [
    `# ${title}`,
    "",
    ...about,
    `Editors can complete them by \`${file}\`. Keys in bold are required. A key without a type takes text, or a mapping of the keys below it.`,
    "",
    ...keyList(top.filter((field) => !deep.includes(field))),
    "",
    `With keys of their own: ${deep.map(({ path }) => `[${code(path)}](#${anchor(path)})`).join(", ")}.`,
    ...deep.flatMap((field) => tellSection(field, fields)),
    "",
  ].join("\n");
}

function tellSection({ path: top, type, isRequired, about }: Field, fields: readonly Field[]): string[] {
  const notes = [...(isRequired ? ["required"] : []), ...(type === "mapping" ? [] : [type])];
  return [
    "",
    `## ${top}`,
    "",
    `${about}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`,
    "",
    ...keyList(
      fields.filter((field) => isUnder(field, top)),
      (path) => code(path.slice(top.length).replace(/^\./, "")),
    ),
  ];
}

function isBelow(path: string): boolean {
  return /[.[]/.test(path.replace("$schema", "schema"));
}

function isUnder({ path }: Field, top: string): boolean {
  return path.startsWith(`${top}.`) || path.startsWith(`${top}[`);
}
