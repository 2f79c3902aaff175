import * as z from "zod";
import { type ControlBody, NO_BODY, parseBody, parseQuery } from "./parse-request.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** What a call answers, for its description. */
export interface AnswerShape {
  readonly description: string;
  /** Without one the answer has no JSON body. */
  readonly schema?: z.ZodType;
  /** A media type besides JSON, or several, or instead of it where there is no schema. */
  readonly mediaType?: string | readonly string[];
}

/** What an endpoint is and what it takes: its schemas both validate and describe. */
export interface Description<Query extends z.ZodType, Body extends z.ZodType> {
  readonly method: Method;
  /** Below /__admin, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query: Query;
  /** An empty body is an empty mapping. */
  readonly body: Body;
  readonly answers: Readonly<Record<number, AnswerShape>>;
}

/** A call as it reached an endpoint. */
export interface IncomingCall {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: ControlBody;
  /** It carries the owner's token. */
  readonly isTrusted: boolean;
}

export interface Endpoint extends Description<z.ZodType, z.ZodType> {
  readonly serve: (call: IncomingCall) => Promise<Response>;
}

/** A call with its query and body read. */
export interface ReadCall<Query, Body> extends Omit<IncomingCall, "query" | "body"> {
  readonly query: Query;
  readonly body: Body;
}

/** The schema of a query or a body that has nothing in it. */
export const NOTHING = z.strictObject({});

/** Joins a description and the work behind it, which answers a Response, or a value that becomes JSON with 200. */
export function endpoint<Query extends z.ZodType, Body extends z.ZodType>(
  description: Description<Query, Body>,
  work: (call: ReadCall<z.output<Query>, z.output<Body>>) => unknown,
): Endpoint {
  return {
    ...description,
    serve: async (call) => {
      const query = parseQuery(call.query, description.query);
      const body = parseBody(description.method === "get" ? NO_BODY : call.body, description.body);
      const answer = await work({ ...call, query, body });
      return answer instanceof Response ? answer : Response.json(answer);
    },
  };
}
