import * as z from "zod";
import { expect, test } from "vitest";
import { Hono } from "hono";
import { controlCalls } from "../../../src/control/calls.ts";
import { describedRoutes } from "../../../src/control/describe-route.ts";

test("every key that the control API documents is in snake_case", () => {
  const { routes } = controlCalls(new Hono());
  const keys = new Set(
    describedRoutes(routes)
      .flatMap(({ answer, others = {} }) => [answer ?? [], ...Object.values(others)].flat())
      .flatMap(keysOf),
  );

  expect([...keys].filter((key) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key))).toEqual([]);
  expect(keys.size).toBeGreaterThan(100);
});

function keysOf(schema: z.ZodType): string[] {
  const keys: string[] = [];
  z.toJSONSchema(schema, {
    unrepresentable: "any",
    override: ({ jsonSchema }) => void keys.push(...Object.keys(jsonSchema.properties ?? {})),
  });
  return keys;
}
