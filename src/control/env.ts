import type { RunningAccount } from "../gateway/engine/account.ts";
import type { World } from "../gateway/engine/world.ts";
import type { Bindings } from "../gateway/http/bindings.ts";
import type { ExchangeLog } from "../gateway/http/exchanges.ts";
import type { CallbackTransport } from "../gateway/ports/callback-transport.ts";
import type { ScenarioLibrary } from "../gateway/scenario/scenario-library.ts";
import type { WrittenAccount } from "../gateway/settings/account.ts";
import type { CallbackUrl } from "../gateway/settings/callbacks.ts";
import type { DescribedRoute } from "./describe-route.ts";
import type { EventStreamAddition } from "./event-stream-addition.ts";
import type { LargeResponses } from "./large-responses.ts";

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

/** What calls use of the sandbox. */
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
  /** Where large responses wait for each other. */
  readonly largeResponses: LargeResponses;
  /** What the stream of an account carries besides its journal. */
  readonly alongside: EventStreamAddition;
  /** Set if replicas share the sandbox. */
  readonly ownership?: Replicas;
  /** Aborts streams when the sandbox stops. */
  readonly stopping: AbortSignal;
}

interface ControlVariables extends Received {
  readonly services: ControlServices;
  /** The call that the request is for; undefined while it is not known whether there is one. */
  readonly call?: DescribedRoute;
  /** Whether the call carries the admin token. */
  readonly isTrusted: boolean;
}

interface Received {
  /** The body as it came; undefined if there is none. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

/** What a call has before it is answered here or elsewhere. */
export type ReceivedEnv = { Bindings: Bindings; Variables: Received };

/** What every call has, as `c.var`. */
export type ControlEnv = { Bindings: Bindings; Variables: ControlVariables };

/** What a call below /accounts/:account has: also the account that its path names. */
export type AccountEnv = {
  Bindings: Bindings;
  Variables: ControlVariables & { readonly account: RunningAccount };
};
