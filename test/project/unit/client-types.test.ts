import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const schema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.object({ type: z.string() })).optional(),
  enum: z.array(z.string()).default([]),
});
const row = z.object({ properties: z.record(z.string(), schema), required: z.array(z.string()) });
const answer = z.union([
  z
    .object({ properties: z.object({ items: z.object({ items: row }) }) })
    .transform((list) => list.properties.items.items),
  row,
]);
const call = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })),
  responses: z.object({ 200: z.object({ content: z.object({ "application/json": z.object({ schema: answer }) }) }) }),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.object({ get: z.unknown().optional() })) })
  .parse(JSON.parse(read("schema/openapi.json")));

const JAVA = read("clients/java/kredo/Kredo.java");
const PHP = read("clients/php/Kredo.php");
const PYTHON = read("clients/python/kredo/__init__.py");

interface Field {
  readonly name: string;
  /** All values, if there are only some. */
  readonly values: readonly string[];
  readonly isNullable: boolean;
}

const TYPES = [
  ["Wallet", "wallet"],
  ["LedgerEntry", "ledger"],
  ["Attempt", "callbacks/sent"],
  ["Transaction", "transactions"],
  ["Request", "requests"],
  ["Message", "messages"],
  ["Finding", "findings"],
] as const;

test.each(TYPES)("Python's %s has the names, the values and the nulls of the API's %s", (type, path) => {
  const [, body = ""] = new RegExp(`class ${type}\\(TypedDict\\):\n([^]*?)\n\n\n`).exec(PYTHON) ?? [];
  const fields = [...body.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name = "", is = ""]) => ({
    name,
    values: valuesIn(is),
    isNullable: is.startsWith("Optional["),
  }));

  expect(fields).toEqual(described(path, fields));
  expect(fields.length).toBeGreaterThan(2);
});

test.each(TYPES)("PHP's %s has the names, the values and the nulls of the API's %s", (type, path) => {
  const [, body = ""] = new RegExp(`@phpstan-type ${type} array\\{(.*)\\}`).exec(PHP) ?? [];
  const fields = [...body.matchAll(/(\w+): ([^,]+)/g)].map(([, name = "", is = ""]) => ({
    name,
    values: valuesIn(is),
    isNullable: is.startsWith("?") || is.endsWith("|null"),
  }));

  expect(fields).toEqual(described(path, fields));
  expect(fields.length).toBeGreaterThan(2);
});

test.each(TYPES)("Java's %s has the names of the API's %s, and its Javadoc all values", (type, path) => {
  const comment = "/\\*\\*((?:(?!\\*/)[^])*)\\*/";
  const [, doc = "", body = ""] = new RegExp(`${comment}\\s+public record ${type}\\(([^)]*)\\)`).exec(JAVA) ?? [];
  const components = [...body.matchAll(/(\w+) (\w+)(?:,|$)/g)].map(([, is = "", name = ""]) => ({
    name: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    values: valuesInJavadoc(doc, name),
    isNullable: !/^[a-z]/.test(is),
  }));
  const fields = described(path, components);

  expect(components).toMatchObject(fields.map(({ name, values }) => ({ name, values })));
  expect(fields.filter(({ isNullable }, place) => isNullable && components[place]?.isNullable !== true)).toEqual([]);
  expect(fields.length).toBeGreaterThan(2);
});

test.each([
  ["Java", JAVA],
  ["PHP", PHP],
  ["Python", PYTHON],
])("the client of %s names everything that transactions and requests are matched by", (_, client) => {
  const named = [...client.matchAll(/match(?:ed)? by ([\w, ]+ or \w+)/g)].map(([, list = ""]) => wordsIn(list));

  expect(named).toEqual([criteriaOf("transactions"), criteriaOf("requests")]);
});

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

function valuesIn(type: string): string[] {
  return [...type.matchAll(/["']([\w-]+)["']/g)].map(([, value = ""]) => value);
}

/** "`name` is a, b or c." */
function valuesInJavadoc(doc: string, name: string): string[] {
  const sentence = new RegExp(`\\{@code ${name}\\} is ([\\w-]+(?:, [\\w-]+)* or [\\w-]+)\\.`);
  return wordsIn(sentence.exec(doc.replaceAll(/\s+\*\s+/g, " "))?.[1] ?? "");
}

/** "a, b or c" */
function wordsIn(list: string): string[] {
  return list.split(/, | or /).filter((word) => word !== "");
}

/** The same fields, as the control API describes them. A field that may be missing cannot be relied on, so it counts as null. */
function described(path: string, fields: readonly { readonly name: string }[]): Field[] {
  const { properties } = rowOf(path);
  return fields
    .filter(({ name }) => name in properties)
    .map(({ name }) => ({ name, values: properties[name]?.enum ?? [], isNullable: isNullable(path, name) }));
}

function isNullable(path: string, name: string): boolean {
  const { properties, required } = rowOf(path);
  const { type, anyOf = [] } = properties[name] ?? {};
  return !required.includes(name) || [type, ...anyOf.map((one) => one.type)].flat().includes("null");
}

function rowOf(path: string): z.output<typeof row> {
  return callOf(path).responses[200].content["application/json"].schema;
}

/** What the query takes besides the place in the list. */
function criteriaOf(path: string): string[] {
  const names = callOf(path)
    .parameters.filter((one) => one.in === "query")
    .map(({ name }) => name);
  return names.filter((name) => name !== "limit" && name !== "cursor");
}

function callOf(path: string): z.output<typeof call> {
  return call.parse(paths[`/__admin/accounts/{account}/${path}`]?.get);
}
