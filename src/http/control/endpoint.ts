import * as z from "zod";
import { explainIssues, MOST_MISTAKES } from "../../document/explain-issues.ts";
import { parseDocument } from "../../document/parse-document.ts";
import type { Immutable } from "../../domain/immutable.ts";
import type { CallbackUrl } from "../../domain/callback-outcome.ts";
import { formatPath } from "../../document/problem.ts";
import type { Account } from "../../engine/account.ts";
import { SANDBOX_JOURNAL, type World } from "../../engine/world.ts";
import type { AccountOwnership } from "../../ports/account-ownership.ts";
import { OwnerLost, StoreOutage } from "../../ports/journal-store.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { ScenarioLibrary } from "../../ports/scenario-library.ts";
import type { WrittenAccount } from "../../settings/account.ts";
import type { ExchangeLog } from "../exchanges.ts";
import { HttpProblem, type Mistake } from "../problem.ts";

/** A request body with its text. JSON is already parsed, YAML is not. */
export type ControlBody =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "yaml"; readonly text: string };

/** An empty body means the same as an empty mapping. */
export const NO_BODY: ControlBody = { kind: "json", value: {}, text: "" };

/** Parses a body with its schema. Throws an `HttpProblem` 422 with all mistakes at once. */
function parseBody<Schema extends z.ZodType>(body: ControlBody, schema: Schema): z.output<Schema> {
  if (body.kind === "json") return parseValue(body.value, schema, "body");
  const parsed = parseDocument(body.text, schema, "body");
  if ("value" in parsed) return parsed.value;
  throw refusal(
    parsed.problems.map(({ line, column, path, ...mistake }) => ({
      ...mistake,
      path: path === "" ? `${line}:${column}` : path,
    })),
  );
}

/** Parses a value with its schema; `whole` is its name in messages. Throws an `HttpProblem` 422. */
export function parseValue<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  throw refusal(
    explainIssues(checked.error.issues, schema).map(({ path, problem, repair }) => ({
      path: formatPath(path) || whole,
      problem,
      repair,
    })),
  );
}

function refusal(mistakes: readonly Mistake[]): HttpProblem {
  const problems = mistakes.slice(0, MOST_MISTAKES).map(({ path, problem, repair }) => ({ path, problem, repair }));
  const [first = { path: "body", problem: "does not fit", repair: "change it" }] = problems;
  const more =
    mistakes.length > 1
      ? ` (and ${mistakes.length < MOST_MISTAKES ? "" : "at least "}${mistakes.length - 1} more)`
      : "";
  return new HttpProblem(422, [`${first.path}: ${first.problem}${more}`, first.repair], { problems });
}

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** A response of an endpoint, for the API description. */
export interface AnswerShape {
  readonly description: string;
  /** The JSON body; omitted if there is none. */
  readonly schema?: z.ZodType;
  /** Media types in addition to JSON, or instead of it if there is no schema. */
  readonly mediaType?: string | readonly string[];
}

/** The declaration of an endpoint. Its schemas are used for both validation and documentation. */
interface Description<Query extends z.ZodType, Body extends z.ZodType, Answers extends AnswerShapes> {
  readonly method: Method;
  /** Below /__admin, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** If omitted, the query must be empty. */
  readonly query?: Query;
  /** An empty body counts as an empty mapping. If omitted, the body must be empty. */
  readonly body?: Body;
  readonly answers: Answers;
}

/** The dependencies of endpoints. */
export interface ControlServices {
  readonly world: World;
  readonly openAccount: OpenAccount;
  readonly exchanges: ExchangeLog;
  /** The scenarios that can be started by name. */
  readonly shipped: ScenarioLibrary;
  readonly transport: CallbackTransport;
  /** Why callbacks to this URL would never be sent, as far as the host name alone tells; undefined if they may be. */
  readonly reasonNeverSent: (target: CallbackUrl) => string | undefined;
  readonly version: string;
  /** Which replica owns which account, if replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
  /** Aborts streams when the sandbox stops. */
  readonly stopping: AbortSignal;
}

/** Opens an account from a description in which any key may be omitted. `trusted` means that its callback URLs may name public hosts. */
export type OpenAccount = (written: WrittenAccount, trusted: boolean) => Promise<Account>;

/** A call as an endpoint receives it. */
export interface IncomingCall extends ControlServices {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: ControlBody;
  /** Whether it carries the admin token. */
  readonly isTrusted: boolean;
}

export interface Endpoint extends Required<Description<z.ZodType, z.ZodType, AnswerShapes>> {
  readonly serve: (call: IncomingCall) => Promise<Response>;
}

interface ReadCall<Query, Body> extends Omit<IncomingCall, "query" | "body"> {
  readonly query: Query;
  readonly body: Body;
}

type Nothing = typeof NOTHING;
/** The schema of an empty query or body. */
const NOTHING = z.strictObject({});

/** By status. */
type AnswerShapes = Readonly<Record<number, AnswerShape>>;

/** An endpoint's result: a Response, or the value described by the schema of its 200, which is sent as JSON. */
type Answer<Answers> =
  | Response
  | (Answers extends { readonly 200: { readonly schema: infer Schema extends z.ZodType } }
      ? Immutable<z.output<Schema>>
      : never);

/** Combines an endpoint's declaration with its handler. */
export function endpoint<
  Answers extends AnswerShapes,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(
  description: Description<Query, Body, Answers>,
  work: (call: ReadCall<z.output<Query>, z.output<Body>>) => Answer<Answers> | Promise<Answer<Answers>>,
): Endpoint;
export function endpoint(
  { query = NOTHING, body = NOTHING, ...described }: Description<z.ZodType, z.ZodType, AnswerShapes>,
  work: (call: ReadCall<unknown, unknown>) => unknown,
): Endpoint {
  return {
    ...described,
    query,
    body,
    serve: async (call) => {
      const read = {
        query: parseValue(call.query, query, "query"),
        body: parseBody(described.method === "get" ? NO_BODY : call.body, body),
      };
      const answer = await work({ ...call, ...read });
      return answer instanceof Response ? answer : Response.json(answer);
    },
  };
}

export interface AccountCall<Query, Body> extends ReadCall<Query, Body> {
  readonly account: Account;
}

/** Declares an endpoint below `/accounts/{account}`. Finds the account first, by its consumer key or `default`. */
export function accountEndpoint<
  Answers extends AnswerShapes,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(
  description: Description<Query, Body, Answers>,
  work: (call: AccountCall<z.output<Query>, z.output<Body>>) => Answer<Answers> | Promise<Answer<Answers>>,
): Endpoint {
  return endpoint(description, async (call) => {
    const account = accountOf(call);
    const answer = await work({ ...call, account });
    await secure(account, description.method);
    return answer;
  });
}

/** A crash must not undo what the response reports. Whoever is told to ask again for a change that may be made would make it twice. */
async function secure(account: Account, method: string): Promise<void> {
  try {
    await account.secured();
  } catch (problem) {
    if (!(problem instanceof StoreOutage) || method === "get") throw problem;
    const lost = new OwnerLost(`${problem.message}; the call may be carried out all the same`, { cause: problem });
    // The log says so once in an outage.
    lost.isLogged = problem.isLogged;
    problem.isLogged = true;
    throw lost;
  }
}

/** Returns the account that the path names. */
export function accountOf(call: Pick<IncomingCall, "world" | "ownership" | "parameters">): Account {
  const elsewhere = (): string[] => (call.ownership?.replicas() ?? []).flatMap(({ accounts }) => accounts);
  return call.world.get(parameter(call, "account"), () => elsewhere().filter((key) => key !== SANDBOX_JOURNAL));
}

/** Returns a path parameter. */
export function parameter({ parameters }: Pick<ReadCall<unknown, unknown>, "parameters">, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new Error(`the path has no {${name}}`);
  return value;
}
