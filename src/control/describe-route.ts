import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { RouterRoute } from "hono/types";
import type * as z from "zod";

/** What the answer to a call is, besides JSON with the usual status. */
interface Answers {
  /** The status of the answer. The default is 200, or 204 if the call answers nothing. */
  readonly status?: number;
  /** Media types of the answer in addition to JSON, or instead of it. */
  readonly mediaTypes?: readonly string[];
  /** Other responses with a meaning of their own, by status. */
  readonly others?: Readonly<Record<number, z.ZodType>>;
  /** The path of the GET that shows what the call did, if that is not the nearest one at or above its own path. */
  readonly shownBy?: string;
}

/** What a handler adds to the description of its route. */
interface PartOfDescription extends Answers {
  readonly summary?: string;
  readonly answer?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}

const parts = new WeakMap<object, PartOfDescription>();

/**
 * Documents a call; `answer` is its JSON response, if it has one. `npm run generate` writes it into `schema/openapi.json`, together with what
 * the call's validators take.
 */
export function describeRoute(summary: string, answer?: z.ZodType, answers: Answers = {}): MiddlewareHandler {
  return describedBy({ summary, answer, ...answers }, (_, next) => next());
}

/** Notes what a handler adds to the description of its route. */
export function describedBy<Handler extends object>(part: PartOfDescription, handler: Handler): Handler {
  parts.set(handler, part);
  return handler;
}

/** One method of one path, with what its handlers say of it. */
export interface DescribedRoute extends PartOfDescription {
  readonly method: string;
  readonly path: string;
}

/** Lists an application's calls in the order in which they were added. */
export function describedRoutes(routes: readonly RouterRoute[]): DescribedRoute[] {
  const described = new Map<string, DescribedRoute>();
  for (const { method, path, handler } of routes.filter(isCall)) {
    const call = `${method} ${path}`;
    described.set(call, { ...described.get(call), ...parts.get(handler), method, path });
  }
  return [...described.values()];
}

/** Returns the call that a request is for; undefined if the application has none. */
export function describedCall(c: Context): DescribedRoute | undefined {
  return describedRoutes(matchedRoutes(c))[0];
}

/** Middleware is for all methods, and no call is. */
function isCall({ method }: RouterRoute): boolean {
  return method !== "ALL";
}
