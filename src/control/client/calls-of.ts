import type { ControlSchema } from "../calls.ts";

/** The routes of an application, and the path below which a client calls them. */
export interface Calls {
  readonly schema: object;
  readonly below: string;
}

/** The control API of one account. */
export interface AccountCalls<Schema extends object = ControlSchema> extends Calls {
  readonly schema: Schema;
  readonly below: "/accounts/:account";
}

/** The control API as a whole. */
export interface SandboxCalls<Schema extends object = ControlSchema> extends Calls {
  readonly schema: Schema;
  readonly below: "";
}

type Method = "$get" | "$post" | "$put" | "$patch" | "$delete";

/** A path that has a method, with any text for its parameters, and perhaps with a query. */
export type PathOf<Of extends Calls, With extends Method> =
  | PathsOf<Of["schema"], Of["below"], With>
  | `${PathsOf<Of["schema"], Of["below"], With>}?${string}`;

type PathsOf<Schema, Below extends string, With extends Method> = {
  [Route in keyof Schema]: Schema[Route] extends Readonly<Record<With, unknown>> ? Relative<Route, Below> : never;
}[keyof Schema];

/** What a call answers, by the types of its route. */
export type AnswerOf<Of extends Calls, Path extends string, With extends Method> = Mutable<
  Output<EndpointOf<Of["schema"], Of["below"], Path extends `${infer Bare}?${string}` ? Bare : Path, With>, Path>
>;

type EndpointOf<Schema, Below extends string, Path extends string, With extends Method> = {
  [Route in keyof Schema]: Path extends Relative<Route, Below>
    ? Schema[Route] extends Readonly<Record<With, infer Endpoint>>
      ? Endpoint
      : never
    : never;
}[keyof Schema];

/** The JSON of an answer. A call that would do something else answers with 200 if it is a `dry_run`. */
type Output<Endpoint, Path extends string> = (
  Path extends `${string}dry_run=true${string}`
    ? Extract<Endpoint, { status: 200 }>
    : Exclude<Endpoint, { status: 200 }>
) extends infer Usual
  ? Usual extends { output: infer Answered; outputFormat: "json" }
    ? Answered
    : never
  : never;

type Relative<Route, Below extends string> = Route extends Below
  ? ""
  : Route extends `${Below}/${infer Rest}`
    ? Filled<Rest>
    : never;

type Filled<Path extends string> = Path extends `${infer Before}:${string}/${infer After}`
  ? `${Before}${string}/${Filled<After>}`
  : Path extends `${infer Before}:${string}`
    ? `${Before}${string}`
    : Path;

type Mutable<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : { -readonly [Key in keyof Value]: Mutable<Value[Key]> };
