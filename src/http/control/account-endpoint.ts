import type * as z from "zod";
import type { Account } from "../../engine/account.ts";
import type { World } from "../../engine/world.ts";
import { type Description, type Endpoint, endpoint, type ReadCall } from "./endpoint.ts";

/** A call to an endpoint of one account. */
export interface AccountCall<Query, Body> extends ReadCall<Query, Body> {
  readonly account: Account;
}

/** An endpoint below `/accounts/{account}`: finds the account first, by its consumer key or the word `default`. */
export function accountEndpoint<Query extends z.ZodType, Body extends z.ZodType>(
  world: World,
  description: Description<Query, Body>,
  work: (call: AccountCall<z.output<Query>, z.output<Body>>) => unknown,
): Endpoint {
  return endpoint(description, (call) => work({ ...call, account: world.get(parameter(call, "account")) }));
}

/** A parameter of the path. */
export function parameter({ parameters }: Pick<ReadCall<unknown, unknown>, "parameters">, name: string): string {
  const value = parameters[name];
  if (value === undefined) throw new Error(`the path has no {${name}}`);
  return value;
}
