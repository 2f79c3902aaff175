import type { ApiContent, ApiDescription, ApiOperation, ApiParameter, JsonSchema } from "./openapi.ts";
import { type Documented, listFields, typeInWords } from "./list-fields.ts";
import type { Field } from "./markdown.ts";

/** Calls about one subject, such as the wallet. */
export interface CallGroup {
  readonly title: string;
  readonly calls: readonly Call[];
}

/** One method of one path. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Field[];
  readonly body: Content;
  readonly answers: readonly Answer[];
}

export interface Content {
  readonly mediaTypes: readonly string[];
  /** The type of the whole value, if it is not a mapping. */
  readonly type: string;
  readonly fields: readonly Field[];
}

export interface Answer extends Content {
  readonly status: string;
  readonly description: string;
}

/** Lists an OpenAPI description in reading order: the gateway, its callback, then the control API by subject. */
export function listCalls({ paths, webhooks }: ApiDescription, elsewhere?: Documented): CallGroup[] {
  const groups = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(paths))
    addAll(groups, { title: subjectOf(path), path, elsewhere }, methods);
  for (const methods of Object.values(webhooks))
    addAll(groups, { title: CALLBACK, path: "your callback URL", elsewhere }, methods);
  const ordered = [...new Set([GATEWAY, CALLBACK, ...groups.keys()])];
  return ordered.flatMap((title) => ({ title, calls: groups.get(title) ?? [] }));
}

const GATEWAY = "Gateway";
const CALLBACK = "Callback";
/** The prefix of the control API, where all refusals have the same shape, documented once. */
const CONTROL = "/__admin/";

/** Returns the subject of a path: the word after the account, or the first one. */
function subjectOf(path: string): string {
  if (!path.startsWith(CONTROL)) return GATEWAY;
  const [first = "", , ofAccount] = path.slice(CONTROL.length).split("/");
  const subject = first === "accounts" && ofAccount !== undefined ? ofAccount : first;
  const words = WITHIN[subject] ?? subject.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Subjects of single calls that belong to others. */
const WITHIN: Readonly<Record<string, string>> = {
  "sender-ids": "sender IDs",
  "dry-run": "transactions",
  ledger: "wallet",
  reset: "accounts",
  drain: "clock",
  export: "export and import",
  import: "export and import",
  "openapi.json": "this description",
};

function addAll(
  groups: Map<string, Call[]>,
  { title, path, elsewhere }: { title: string; path: string; elsewhere: Documented | undefined },
  methods: Readonly<Record<string, ApiOperation>>,
): void {
  const calls = Object.entries(methods).map(([method, operation]) =>
    callOf(method.toUpperCase(), path, operation, elsewhere),
  );
  groups.set(title, [...(groups.get(title) ?? []), ...calls]);
}

function callOf(
  method: string,
  path: string,
  { summary, parameters = [], requestBody, responses }: ApiOperation,
  elsewhere: Documented | undefined,
): Call {
  return {
    method,
    path,
    summary,
    parameters: parameters.map(parameterField),
    body: contentOf(requestBody?.content, elsewhere),
    answers: Object.entries(responses)
      .filter(([status]) => status !== "default" || !path.startsWith(CONTROL))
      .map(([status, { description, content }]) => ({ status, description, ...contentOf(content, elsewhere) })),
  };
}

function parameterField({ name, in: place, required, schema, description }: ApiParameter): Field {
  const shape: JsonSchema = typeof schema === "boolean" ? {} : schema;
  const path = place === "path" ? `{${name}}` : name;
  return { path, type: typeInWords(shape), isRequired: required, about: description ?? shape.description ?? "" };
}

function contentOf(content: ApiContent = {}, elsewhere: Documented | undefined): Content {
  const schema = content["application/json"]?.schema;
  const fields = schema === undefined ? [] : listFields(schema, elsewhere);
  const type = schema === undefined || fields.length > 0 ? "" : typeInWords(schema);
  return { mediaTypes: Object.keys(content), type, fields };
}
