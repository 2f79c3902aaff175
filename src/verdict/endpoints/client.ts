import type { ExtractSchema } from "hono/types";
import type { ControlSchema } from "../../control/calls.ts";
import type { AccountCalls, SandboxCalls } from "../../control/client/calls-of.ts";
import type { ControlClient } from "../../control/client/control-client.ts";
import type { verdictCalls } from "./routes.ts";

type Schema = ControlSchema & ExtractSchema<ReturnType<typeof verdictCalls>>;

/** The calls of one account, with those that judge it. */
export type JudgedAccountCalls = AccountCalls<Schema>;

export type AccountClient = ControlClient<JudgedAccountCalls>;

/** A client of the whole sandbox. */
export type SandboxClient = ControlClient<SandboxCalls<Schema>>;
