import type * as z from "zod";

/** OpenAPI 3.1 as far as it is written here. */
export interface ApiDescription {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** By path, then by method in lower case. */
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

export interface ApiResponse {
  readonly description: string;
  readonly content?: ApiContent;
}

/** Schemas by media type. */
export type ApiContent = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export type JsonSchema = z.core.JSONSchema.BaseSchema;
