import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { describedBy } from "./describe-route.ts";
import type { ControlEnv } from "./env.ts";
import { parseBody, parseValue, readControlBody } from "./read-control-body.ts";

/** Takes a query of this shape, as `c.req.valid("query")`. */
export function validQuery<Schema extends z.ZodType<object>>(
  schema: Schema,
): Validator<"query", z.input<Schema>, z.output<Schema>> {
  return describedBy(
    { query: schema },
    validator("query", ({ req }) => parseValue(req.query(), schema, "query")),
  );
}

/** Takes a body of this shape in JSON or YAML, as `c.req.valid("json")`. An empty body counts as an empty mapping. */
export function validBody<Schema extends z.ZodType<object>>(
  schema: Schema,
): Validator<"json", z.input<Schema>, z.output<Schema>> {
  return describedBy(
    { body: schema },
    validator("json", (c) => parseBody(bodyOf(c), schema)),
  );
}

/** Takes the text of a body, as `c.req.valid("json")`. The call itself finds out whether it has this shape. */
export function bodyText<Schema extends z.ZodType>(schema: Schema): Validator<"json", z.input<Schema>, string> {
  return describedBy(
    { body: schema },
    validator("json", (c) => bodyOf(c).text),
  );
}

/** Refuses a query or a body that a call has no validator for. */
export const refuseUnexpected = createMiddleware<ControlEnv>(async (c, next) => {
  const { query, body } = c.var.call ?? {};
  if (query === undefined) parseValue(c.req.query(), NOTHING, "query");
  if (body === undefined) parseBody(bodyOf(c), NOTHING);
  await next();
});

const NOTHING = z.strictObject({});

type Validator<Target extends string, In, Out> = MiddlewareHandler<
  ControlEnv,
  string,
  { in: { [Key in Target]: In }; out: { [Key in Target]: Out } }
>;

/** Hono's own validator reads no YAML, and answers what is no JSON in its own words. */
function validator<Target extends "query" | "json", Out extends object | string>(
  target: Target,
  read: (c: Context<ControlEnv>) => Out,
): Validator<Target, unknown, Out> {
  return async (c, next) => {
    c.req.addValidatedData(target, read(c));
    await next();
  };
}

function bodyOf({ req, var: { bytes } }: Context<ControlEnv>) {
  return readControlBody(req.raw, bytes);
}
