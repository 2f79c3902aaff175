import * as z from "zod";
import { configSchema } from "../src/config.ts";
import { airtimeShape, smsShape } from "../src/gateway/contract/order.ts";
import {
  accountDetailsShape,
  acknowledgmentShape,
  callbackShape,
  refusalShape,
} from "../src/gateway/contract/shapes.ts";
import { GATEWAY_PATHS } from "../src/gateway/domain/order.ts";
import type { DescribedRoute } from "../src/control/describe-route.ts";
import { PROBLEM } from "../src/control/values.ts";

/** The parts of OpenAPI 3.1 used here. */
export interface ApiDescription {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** By path, then by lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: unknown;
}

export interface ApiOperation {
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: ApiContent };
  /** By status, or `default` for all others. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonSchema | boolean;
  readonly description?: string;
}

interface ApiResponse {
  readonly description: string;
  readonly content?: ApiContent;
}

export type ApiContent = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Describes the gateway and the control API in OpenAPI 3.1. Its schemas are JSON Schema 2020-12, generated from those of the code. */
export function describeApi(routes: readonly DescribedRoute[], version: string): ApiDescription {
  const paths = gatewayPaths();
  for (const route of routes) {
    const path = `/__admin${route.path.replaceAll(/:(\w+)/g, "{$1}")}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kredo",
      version,
      description: "A local sandbox for airtime and SMS: the gateway, and the control API under /__admin.",
    },
    servers: [{ url: "/" }],
    paths,
    webhooks: { result: { post: resultCallback() } },
    components: {
      securitySchemes: { consumer: { type: "http", scheme: "basic" }, admin: { type: "http", scheme: "bearer" } },
    },
  };
}

const GATEWAY = configSchema.parse({}).gateway;

function gatewayPaths(): Record<string, Record<string, ApiOperation>> {
  const refusal = {
    description: "A refusal: nothing is queued and no callback follows.",
    content: json(outputSchema(refusalShape)),
  };
  const accepted = { description: "Accepted and queued.", content: json(outputSchema(acknowledgmentShape)) };
  const gateway = { tags: ["gateway"], security: [{ consumer: [] }] };
  const send = (summary: string, body: z.ZodType): Record<string, ApiOperation> => ({
    post: {
      ...gateway,
      summary,
      requestBody: { required: true, content: json(inputSchema(body)) },
      responses: { 200: accepted, default: refusal },
    },
  });
  const details = { description: "The account's details.", content: json(outputSchema(accountDetailsShape)) };
  return {
    [GATEWAY_PATHS.airtime]: send("Send airtime to a phone number", airtimeShape(GATEWAY)),
    [GATEWAY_PATHS.sms]: send("Send an SMS", smsShape(GATEWAY)),
    [GATEWAY_PATHS["account-details"]]: {
      get: { ...gateway, summary: "Read profile and balance", responses: { 200: details, default: refusal } },
    },
  };
}

function resultCallback(): ApiOperation {
  return {
    summary: "The final result of an accepted request, sent to the callback URL",
    requestBody: { required: true, content: json(outputSchema(callbackShape)) },
    responses: { 200: { description: "The receiver acknowledges within 3 seconds." } },
  };
}

function operation({ path, summary = "", query, body, ...answers }: DescribedRoute): ApiOperation {
  return {
    tags: ["control"],
    summary,
    security: [{}, { admin: [] }],
    parameters: [...pathParameters(path), ...(query === undefined ? [] : queryParameters(inputSchema(query)))],
    ...(body !== undefined && {
      requestBody: { content: { ...json(inputSchema(body)), "application/yaml": { schema: inputSchema(body) } } },
    }),
    responses: responses(answers),
  };
}

type Answers = Pick<DescribedRoute, "answer" | "status" | "mediaTypes" | "others">;

function responses({ answer, status, mediaTypes = [], others = {} }: Answers): Record<string, ApiResponse> {
  // A JSON document without a schema of its own is an object; any other media type is text.
  const texts = mediaTypes.map((type) => {
    const schema: JsonSchema = { type: type === "application/json" ? "object" : "string" };
    return [type, { schema }] as const;
  });
  const content = { ...(answer && json(outputSchema(answer))), ...Object.fromEntries(texts) };
  const isEmpty = Object.keys(content).length === 0;
  const usual = status ?? (isEmpty ? 204 : 200);
  const description = answer?.description ?? STATUS_TEXTS[usual] ?? "";
  const answered = { description, ...(!isEmpty && { content }) };
  const described = Object.entries(others).map(([code, schema]) => [
    code,
    { description: schema.description ?? "", content: json(outputSchema(schema)) },
  ]);
  const failure = { description: "The problem and how to repair it.", content: json(outputSchema(PROBLEM)) };
  return { [usual]: answered, ...Object.fromEntries(described), default: failure };
}

/** The descriptions of responses whose schema has none. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
};

function pathParameters(path: string): ApiParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(name === "account" && { description: "A consumer key, or default for the first account." }),
  }));
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): ApiParameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function json(schema: JsonSchema): ApiContent {
  return { "application/json": { schema } };
}

function inputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

function outputSchema(schema: z.ZodType): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));
}

/** OpenAPI 3.1 names the dialect once for all schemas. */
function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
