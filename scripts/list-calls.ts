import type { ApiContent, ApiDescription, ApiOperation } from "./openapi.ts";
import { listFields } from "./list-fields.ts";
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
  readonly body: readonly Field[];
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly status: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** Lists an OpenAPI description in reading order: the gateway, its callback, then the control API by subject. */
export function listCalls({ paths, webhooks }: ApiDescription): CallGroup[] {
  const groups = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(paths)) addAll(groups, subjectOf(path), callsOf(path, methods));
  for (const methods of Object.values(webhooks)) addAll(groups, CALLBACK, callsOf("your callback URL", methods));
  const ordered = [...new Set([GATEWAY, CALLBACK, ...groups.keys()])];
  return ordered.flatMap((title) => ({ title, calls: groups.get(title) ?? [] }));
}

const GATEWAY = "Gateway";
const CALLBACK = "Callback";
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
  credentials: "accounts",
  drain: "clock",
  export: "export and import",
  import: "export and import",
  "openapi.json": "this description",
};

function addAll(groups: Map<string, Call[]>, title: string, calls: readonly Call[]): void {
  groups.set(title, [...(groups.get(title) ?? []), ...calls]);
}

function callsOf(path: string, methods: Readonly<Record<string, ApiOperation>>): Call[] {
  return Object.entries(methods).map(([method, { summary, requestBody, responses }]) => ({
    method: method.toUpperCase(),
    path,
    summary,
    body: fieldsOf(requestBody?.content),
    answers: Object.entries(responses).map(([status, { description, content }]) => ({
      status,
      description,
      fields: fieldsOf(content),
    })),
  }));
}

function fieldsOf(content: ApiContent = {}): Field[] {
  const schema = content["application/json"]?.schema;
  return schema === undefined ? [] : listFields(schema);
}
