import * as z from "zod";
import { explainIssues } from "../../document/explain-issues.ts";
import { parseDocument } from "../../document/parse-document.ts";
import type { Immutable } from "../../domain/immutable.ts";
import { formatPath } from "../../document/problem.ts";
import type { Account } from "../../engine/account.ts";
import type { LiveFindings } from "../../engine/live-findings.ts";
import type { World } from "../../engine/world.ts";
import type { AccountOwnership } from "../../ports/account-ownership.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { NetworkProbe } from "../../ports/network-probe.ts";
import type { ScenarioLibrary } from "../../ports/scenario-library.ts";
import type { WrittenAccount } from "../../settings/account.ts";
import type { ExchangeLog } from "../exchanges.ts";
import { HttpProblem, type Mistake } from "../problem.ts";

/** A body as it came, with its text: JSON that was parsed, YAML that was not yet. */
export type ControlBody =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "yaml"; readonly text: string };

/** Mistakes that an answer lists; more than these have one cause. */
const MOST_PROBLEMS = 50;

/** An empty body says the same as an empty mapping. */
export const NO_BODY: ControlBody = { kind: "json", value: {}, text: "" };

/** Checks a body against its schema. Throws an `HttpProblem` 422 with all mistakes at once. */
function parseBody<Schema extends z.ZodType>(body: ControlBody, schema: Schema): z.output<Schema> {
  if (body.kind === "json") return parseValue(body.value, schema, "body");
  const parsed = parseDocument(body.text, schema, { file: "body" });
  if ("value" in parsed) return parsed.value;
  throw refusal(
    parsed.problems.map(({ line, column, path, ...mistake }) => ({ ...mistake, path: path === "" ? `${line}:${column}` : path })),
  );
}

/** Checks a value against its schema; `whole` names it in messages. Throws an `HttpProblem` 422. */
export function parseValue<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  throw refusal(
    explainIssues(checked.error.issues, schema).map(({ path, problem, repair }) => ({ path: formatPath(path) || whole, problem, repair })),
  );
}

function refusal(mistakes: readonly Mistake[]): HttpProblem {
  const problems = mistakes.slice(0, MOST_PROBLEMS).map(({ path, problem, repair }) => ({ path, problem, repair }));
  const [first = { path: "body", problem: "does not fit", repair: "change it" }] = problems;
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : "";
  return new HttpProblem(422, [`${first.path}: ${first.problem}${more}`, first.repair], { problems });
}

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
interface Description<Query extends z.ZodType, Body extends z.ZodType, Answers extends AnswerShapes> {
  readonly method: Method;
  /** Below /__admin, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Without one, the query has nothing in it. */
  readonly query?: Query;
  /** An empty body is an empty mapping; without a schema, nothing may be in it. */
  readonly body?: Body;
  readonly answers: Answers;
}

/** What endpoints work with. */
export interface ControlServices {
  readonly world: World;
  readonly openAccount: OpenAccount;
  readonly findings: LiveFindings;
  readonly exchanges: ExchangeLog;
  /** The scenarios that can be begun by name. */
  readonly shipped: ScenarioLibrary;
  readonly transport: CallbackTransport;
  readonly probe: NetworkProbe;
  readonly version: string;
  /** Who owns which account, where replicas share the sandbox. */
  readonly ownership?: AccountOwnership;
  /** Ends the streams when the sandbox stops. */
  readonly stopping: AbortSignal;
}

/** Makes an account of a description in which anything may be left out; its callback URLs are trusted where the owner's token came along. */
export type OpenAccount = (written: WrittenAccount, trusted: boolean) => Promise<Account>;

/** A call as it reached an endpoint. */
export interface IncomingCall extends ControlServices {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: ControlBody;
  /** It carries the owner's token. */
  readonly isTrusted: boolean;
}

export interface Endpoint extends Required<Description<z.ZodType, z.ZodType, AnswerShapes>> {
  readonly serve: (call: IncomingCall) => Promise<Response>;
}

/** A call with its query and body read. */
interface ReadCall<Query, Body> extends Omit<IncomingCall, "query" | "body"> {
  readonly query: Query;
  readonly body: Body;
}

type Nothing = typeof NOTHING;
/** The schema of a query or a body that has nothing in it. */
const NOTHING = z.strictObject({});

/** By status. */
type AnswerShapes = Readonly<Record<number, AnswerShape>>;

/** What a call answers: a Response, or what the schema of its 200 describes, which becomes JSON. */
type Answer<Answers> =
  | Response
  | (Answers extends { readonly 200: { readonly schema: infer Schema extends z.ZodType } } ? Immutable<z.output<Schema>> : never);

/** Joins a description and the work behind it. */
export function endpoint<Answers extends AnswerShapes, Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
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

/** A call to an endpoint of one account. */
export interface AccountCall<Query, Body> extends ReadCall<Query, Body> {
  readonly account: Account;
}

/** An endpoint below `/accounts/{account}`: finds the account first, by its consumer key or the word `default`. */
export function accountEndpoint<Answers extends AnswerShapes, Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
  description: Description<Query, Body, Answers>,
  work: (call: AccountCall<z.output<Query>, z.output<Body>>) => Answer<Answers> | Promise<Answer<Answers>>,
): Endpoint {
  return endpoint(description, async (call) => {
    const account = call.world.get(parameter(call, "account"));
    const answer = await work({ ...call, account });
    // A crash must not undo what the caller is told.
    await account.secured();
    return answer;
  });
}

/** A parameter of the path. */
export function parameter({ parameters }: Pick<ReadCall<unknown, unknown>, "parameters">, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new Error(`the path has no {${name}}`);
  return value;
}
