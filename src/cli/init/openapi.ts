import { parse } from "yaml";
import * as z from "zod";
import { callOverHttp } from "../../adapters/http-exchange.ts";
import { messageOf } from "../../domain/message-of.ts";
import { SECOND } from "../../domain/time.ts";
import { CliError } from "../cli-error.ts";
import type { Terminal } from "../terminal.ts";

/** Values for the app map, by the flag that sets each. */
export type Answers = Readonly<Partial<Record<QuestionName, string>>>;

export type QuestionName =
  | "application"
  | "order"
  | "body"
  | "id"
  | "status"
  | "status-path"
  | "paid"
  | "failed"
  | "open"
  | "callback"
  | "balance"
  | "balance-path"
  | "settle";

const FETCH_LIMIT = 10 * SECOND;

interface SchemaNode {
  $ref?: string | undefined;
  properties?: Record<string, SchemaNode> | undefined;
  enum?: unknown[] | undefined;
}

const schemaNode: z.ZodType<SchemaNode> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    properties: z.record(z.string(), schemaNode).optional(),
    enum: z.array(z.unknown()).optional(),
  }),
);

const body = z.object({ content: z.record(z.string(), z.object({ schema: schemaNode.optional() })).optional() });

const operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  requestBody: body.optional(),
  responses: z.record(z.string(), body).optional(),
});

const openApi = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })).optional(),
  paths: z.record(z.string(), z.object({ get: operation.optional(), post: operation.optional() })),
  components: z.object({ schemas: z.record(z.string(), schemaNode).optional() }).optional(),
});

type OpenApi = z.output<typeof openApi>;
type Operation = z.output<typeof operation>;

/** Guesses orders and callbacks from the names in an OpenAPI document. Throws a CliError if it cannot be read. */
export async function guessFromOpenApi(source: string, terminal: Terminal): Promise<Answers> {
  const document = readDocument(await readText(source, terminal), source);
  const server = document.servers?.map(({ url }) => url).find((url) => /^https?:/.test(url));
  const orderPath = findPost(document, /airtime|top-?up|recharge|order|purchase|buy/i, /callback|hook|dlr|sms/i);
  return {
    ...given("application", server?.replace(/\/+$/, "")),
    ...given("callback", findPost(document, /callback|hook|dlr|notif/i, /sms/i)),
    ...guessBalance(document),
    ...(orderPath !== undefined && { ...guessOrder(orderPath, document), ...guessStatus(orderPath, document) }),
  };
}

function guessOrder(path: string, document: OpenApi): Answers {
  const order = document.paths[path]?.post ?? {};
  return {
    ...given("order", `POST ${path}`),
    ...given("body", writeBody(order, document)),
    ...given("id", findProperty(responseOf(order, document), /^(id|order_?id|uuid|reference)$/i, document)),
  };
}

function guessStatus(orderPath: string, document: OpenApi): Answers {
  const path = findStatus(document, orderPath);
  const status = path === undefined ? undefined : document.paths[path]?.get;
  if (path === undefined || status === undefined) return {};
  return { ...given("status", `GET ${path.replace(/\{[^}]+\}/g, "{id}")}`), ...describeStatus(status, document) };
}

/** Finds a GET without parameters whose response contains a balance. */
function guessBalance(document: OpenApi): Answers {
  const [found] = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const property =
      get === undefined || path.includes("{")
        ? undefined
        : findProperty(responseOf(get, document), /balance/i, document);
    return property === undefined ? [] : [{ balance: `GET ${path}`, "balance-path": property }];
  });
  return found ?? {};
}

function given(name: keyof Answers, value: string | undefined): Answers {
  return value === undefined ? {} : { [name]: value };
}

async function readText(source: string, { files }: Terminal): Promise<string> {
  if (/^https?:\/\//i.test(source)) {
    const reply = await callOverHttp({ method: "GET", url: source, headers: {}, limit: FETCH_LIMIT });
    if (reply.kind === "silent")
      throw new CliError(
        2,
        `--openapi: ${source} does not answer (${reply.reason}); start the application, or pass a file`,
      );
    if (reply.status !== 200)
      throw new CliError(2, `--openapi: ${source} answered ${reply.status}; write the URL of an OpenAPI document`);
    return reply.text;
  }
  const content = files.read(source);
  if ("text" in content) return content.text;
  throw new CliError(
    2,
    `--openapi: ${source} ${"missing" in content ? "is not there" : `cannot be read (${content.unreadable})`}; write the path or the URL of an OpenAPI document`,
  );
}

function readDocument(text: string, source: string): OpenApi {
  try {
    const { success, data } = openApi.safeParse(parse(text));
    if (success) return data;
  } catch (error) {
    throw new CliError(2, `--openapi: ${source} is neither YAML nor JSON (${messageOf(error).split("\n")[0]})`);
  }
  throw new CliError(2, `--openapi: ${source} is not an OpenAPI 3 document; it needs openapi and paths`);
}

function findPost({ paths }: OpenApi, wanted: RegExp, unwanted: RegExp): string | undefined {
  const posts = Object.entries(paths).filter(([path, { post }]) => post !== undefined && !unwanted.test(path));
  return posts.find(([path, { post }]) => wanted.test([path, post?.operationId, post?.summary].join(" ")))?.[0];
}

/** Finds the GET with one parameter whose path is most similar to the order's. */
function findStatus({ paths }: OpenApi, orderPath: string): string | undefined {
  const reads = Object.entries(paths).flatMap(([path, { get }]) =>
    get !== undefined && path.match(/\{[^}]+\}/g)?.length === 1 ? [path] : [],
  );
  return reads
    .toSorted((one, other) => alike(other, orderPath) - alike(one, orderPath))
    .find((path) => alike(path, orderPath) > 1);
}

/** Counts the leading characters that two paths have in common. */
function alike(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

function writeBody(order: Operation, document: OpenApi): string | undefined {
  const properties = Object.keys(resolve(schemaOf(order.requestBody), document).properties ?? {});
  const fields = properties.flatMap((name) => {
    const placeholder = PLACEHOLDERS.find(([pattern]) => pattern.test(name))?.[1];
    return placeholder === undefined ? [] : [[name, placeholder] as const];
  });
  return fields.length === 0 ? undefined : JSON.stringify(Object.fromEntries(fields));
}

const PLACEHOLDERS = [
  [/phone|msisdn|mobile|recipient|^to$|number/i, "{phone_number}"],
  [/amount|value|price/i, "{amount}"],
  [/ref|idempotency|external|client_?id|^id$/i, "{reference}"],
] as const;

function describeStatus(status: Operation, document: OpenApi): Answers {
  const path = findProperty(responseOf(status, document), /status|state/i, document);
  const words = path === undefined ? [] : valuesAt(responseOf(status, document), path, document);
  const paid = words.filter((word) => /success|complet|paid|deliver|done|fulfil/i.test(word));
  const failed = words.filter((word) => /fail|refund|cancel|reject|error|revers/i.test(word));
  const open = words.filter((word) => !paid.includes(word) && !failed.includes(word));
  const listed = { paid, failed, open };
  return {
    ...given("status-path", path),
    ...Object.assign(
      {},
      ...(["paid", "failed", "open"] as const).map((name) => given(name, listed[name].join(", ") || undefined)),
    ),
  };
}

/** Returns the JSONPath of a property in a response, or one level deeper. */
function findProperty(node: SchemaNode, pattern: RegExp, document: OpenApi): string | undefined {
  const properties = Object.entries(node.properties ?? {});
  const here = properties.find(([name]) => pattern.test(name))?.[0];
  if (here !== undefined) return `$.${here}`;
  const deeper = properties.flatMap(([name, child]) => {
    const found = Object.keys(resolve(child, document).properties ?? {}).find((one) => pattern.test(one));
    return found === undefined ? [] : [`$.${name}.${found}`];
  });
  return deeper[0];
}

function valuesAt(node: SchemaNode, path: string, document: OpenApi): string[] {
  const [, ...names] = path.split(".");
  const found = names.reduce<SchemaNode>((at, name) => resolve(at.properties?.[name] ?? {}, document), node);
  return (found.enum ?? []).filter((value) => typeof value === "string");
}

function responseOf({ responses = {} }: Operation, document: OpenApi): SchemaNode {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return resolve(schemaOf(good), document);
}

function schemaOf(written: z.output<typeof body> | undefined): SchemaNode {
  return Object.values(written?.content ?? {})[0]?.schema ?? {};
}

/** Resolves one reference within the document. */
function resolve(node: SchemaNode, { components }: OpenApi): SchemaNode {
  const name = node.$ref === undefined ? undefined : /^#\/components\/schemas\/(.+)$/.exec(node.$ref)?.[1];
  return name === undefined ? node : (components?.schemas?.[name] ?? {});
}
