import * as z from "zod";
import type { CallbackUrl } from "../gateway/settings/callbacks.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { SANDBOX_JOURNAL, type World } from "../gateway/engine/world.ts";
import type { CallbackTransport } from "../gateway/ports/callback-transport.ts";
import type { ScenarioLibrary } from "../gateway/scenario/scenario-library.ts";
import type { WrittenAccount } from "../gateway/settings/account.ts";
import type { ExchangeLog } from "../gateway/http/exchanges.ts";
import { OwnerLost, StoreOutage, UnwritableJournal } from "../gateway/ports/journal-store.ts";
import type { LargeReadings, Receiver } from "./large-readings.ts";
import type { Json } from "./json.ts";
import { type ControlBody, parseBody, parseValue } from "./read-control-body.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What the control API tells of the replicas that share a sandbox. */
interface Replicas {
  readonly self: { readonly url: string };
  /** Live replicas with the accounts that they own, including this one. */
  replicas(): readonly {
    readonly id: string;
    readonly url: string;
    readonly isSelf: boolean;
    readonly accounts: readonly string[];
  }[];
  /** All accounts of the sandbox. */
  accounts(): Promise<readonly string[]>;
  /** The accounts that have no owner at present, and why. */
  waiting(): readonly { readonly account: string; readonly reason: string }[];
  /** Calls `changed` when accounts are opened, dropped or taken over. Returns a function that unsubscribes. */
  observeAccounts(changed: () => void): () => void;
}

/** The services that routes use. */
export interface ControlServices {
  readonly world: World;
  /** Opens an account from a description in which any key may be omitted. `trusted` means that its callback URLs may name public hosts. */
  readonly openAccount: (written: WrittenAccount, trusted: boolean) => Promise<RunningAccount>;
  readonly exchanges: ExchangeLog;
  /** The scenarios that can be started by name. */
  readonly shipped: ScenarioLibrary;
  readonly transport: CallbackTransport;
  /** Why callbacks to this URL would never be sent, as far as the host name alone tells; undefined if they may be. */
  readonly reasonNeverSent: (target: CallbackUrl) => string | undefined;
  /** Where large readings wait for each other. */
  readonly readings: LargeReadings;
  /** Set if replicas share the sandbox. */
  readonly ownership?: Replicas;
  /** Aborts streams when the sandbox stops. */
  readonly stopping: AbortSignal;
}

/** A call before its query and body are parsed. */
interface UnparsedCall extends ControlServices {
  readonly request: Request;
  readonly receiver: Receiver | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: ControlBody;
  /** Whether it carries the admin token. */
  readonly isTrusted: boolean;
}

/** A call as a route receives it. */
export interface Call<Query = unknown, Body = unknown, Path = string> extends Omit<
  UnparsedCall,
  "parameters" | "query" | "body"
> {
  readonly parameters: Readonly<Record<ParameterOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent. */
  readonly text: string;
  /** The account that the path names. */
  readonly account: Path extends OfAccount ? RunningAccount : undefined;
}

type AnyCall = Omit<Call, "account"> & { readonly account: RunningAccount | undefined };

export type AccountCall<Query = unknown, Body = unknown> = Call<Query, Body, OfAccount>;

type OfAccount = `${typeof OF_ACCOUNT}${string}`;

/** The account is named by its consumer key, or as `default`. */
const OF_ACCOUNT = "/accounts/{account}";

type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;

/** What a route takes and returns. Its schemas validate calls and are the API's documentation. */
interface Shapes<Query, Body, Answer> {
  readonly summary: string;
  /** If omitted, the query must be empty. */
  readonly query?: Query;
  /** An empty body counts as an empty mapping. If omitted, the body must be empty. */
  readonly body?: Body;
  /** The path of the GET that shows what the call did, if that is not the nearest one at or above its own path. */
  readonly shownBy?: string;
  /** Whether the route parses the text of the body itself; `body` is documentation then. */
  readonly parsesText?: boolean;
  /** The JSON response; omitted if there is none. */
  readonly answer?: Answer;
  /** The status of the answer. The default is 200, or 204 if the route returns nothing. */
  readonly status?: number;
  /** Media types of the answer in addition to JSON, or instead of it. */
  readonly mediaTypes?: readonly string[];
  /** Other responses with a meaning of their own, by status. */
  readonly others?: Readonly<Record<number, z.ZodType>>;
}

/** A route's result: a Response, or the JSON that its schema describes. */
type Answered<Answer> = Response | (Answer extends z.ZodType ? Json<Answer> : void);

interface Description<Query extends z.ZodType, Body, Answer, Received> extends Shapes<Query, Body, Answer> {
  /** Whether the response may be large; it then waits for others. The default is no. */
  readonly isLarge?: (query: z.output<Query>) => boolean;
  readonly serve: (call: Received) => Answered<Answer> | Promise<Answered<Answer>>;
}

export interface ControlRoute extends Shapes<z.ZodType, z.ZodType, z.ZodType> {
  readonly method: Method;
  /** Below /__admin, with parameters in braces. */
  readonly path: string;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  readonly status: number;
  readonly serve: (call: UnparsedCall) => Promise<Response>;
}

/** The schema of an empty query or body. */
const NOTHING = z.strictObject({});

/** Describes a route below /__admin. If its path names an account, that is looked up for it. */
export function route<
  Path extends string,
  Query extends z.ZodType = typeof NOTHING,
  Body extends z.ZodType = typeof NOTHING,
  Answer extends z.ZodType | undefined = undefined,
>(
  method: Method,
  path: Path,
  description: Description<Query, Body, Answer, Call<z.output<Query>, z.output<Body>, Path>>,
): ControlRoute;
export function route(
  method: Method,
  path: string,
  {
    query = NOTHING,
    body = NOTHING,
    isLarge = () => false,
    serve,
    ...shapes
  }: Description<z.ZodType, z.ZodType, z.ZodType, AnyCall>,
): ControlRoute {
  const { answer, mediaTypes, status = answer === undefined && mediaTypes === undefined ? 204 : 200 } = shapes;
  return {
    ...shapes,
    method,
    path,
    query,
    body,
    status,
    serve: async (call) => {
      const parsed = {
        query: parseValue(call.query, query, "query"),
        body: shapes.parsesText ? undefined : parseBody(call.body, body),
      };
      const read = async (): Promise<Response> => {
        const account = path.startsWith(OF_ACCOUNT) ? findAccount(call) : undefined;
        const answered = await serve({ ...call, ...parsed, text: call.body.text, account });
        if (account !== undefined) await secure(account, method);
        if (answered instanceof Response) return answered;
        return answer === undefined ? new Response(null, { status }) : Response.json(answered, { status });
      };
      return isLarge(parsed.query) ? call.readings.answer(call.receiver, read) : read();
    },
  };
}

/** Resolves when what a call changed is durable. A crash must not undo what the response reports. Whoever is told to ask again for a change that may be made would make it twice. */
export async function secure(account: RunningAccount, method: Method): Promise<void> {
  try {
    await account.journal.secured();
  } catch (problem) {
    const isSurelyUndone = !(problem instanceof StoreOutage) || problem instanceof UnwritableJournal;
    if (isSurelyUndone || method === "GET") throw problem;
    const lost = new OwnerLost(`${problem.message}; the call may be carried out all the same`, { cause: problem });
    // The log says so once in an outage.
    lost.isLogged = problem.isLogged;
    problem.isLogged = true;
    throw lost;
  }
}

function findAccount({ world, ownership, parameters }: UnparsedCall): RunningAccount {
  const elsewhere = (): string[] => (ownership?.replicas() ?? []).flatMap(({ accounts }) => accounts);
  return world.get(parameters["account"] ?? "", () => elsewhere().filter((key) => key !== SANDBOX_JOURNAL));
}
