import type { MiddlewareHandler } from "hono";
import type { ControlEnv } from "./env.ts";

/** Answers in turn what may be large. */
export function answerInTurn<Query>(
  isLarge: (query: Query) => boolean,
): MiddlewareHandler<ControlEnv, string, { out: { query: Query } }> {
  return async (c, next) => {
    if (!isLarge(c.req.valid("query"))) return next();
    return c.var.services.largeResponses.answer(c.env?.outgoing, async () => {
      await next();
      return c.res;
    });
  };
}
