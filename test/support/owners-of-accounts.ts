import { pauseOn } from "../../src/gateway/adapters/time/system-pause.ts";
import type { AccountOwnership } from "../../src/storage/journal/account-ownership.ts";
import type { RoutingOptions } from "../../src/storage/replicas/with-owner.ts";
import { type ManualWallClock, manualWallClock } from "./gateway/manual-wall-clock.ts";

/** What one replica of several is told about the owners of accounts, and the clock on which it waits. */
interface TestRouting {
  readonly options: RoutingOptions;
  readonly wall: ManualWallClock;
  readonly stop: AbortController;
  /** The lease of every other replica. */
  readonly lease: AbortController;
  readonly forgotten: string[];
}

/** The lease of `routingTo`, in milliseconds. */
export const ROUTING_LEASE = 2_000;

/** A replica `here`, which the given functions tell who owns what. */
export function routingTo(
  known: Partial<Pick<AccountOwnership, "ownerOf" | "claim">> = {},
  changed: Partial<Pick<RoutingOptions, "opensFor" | "fetch">> = {},
): TestRouting {
  const wall = manualWallClock(0);
  const [stop, lease] = [new AbortController(), new AbortController()];
  const forgotten: string[] = [];
  const ownership: AccountOwnership = {
    self: { id: "here", url: "http://here.test" },
    secret: "hop-secret",
    lease: ROUTING_LEASE,
    leaseOf: () => lease.signal,
    ownerOf: () => ({ kind: "nobody" }),
    forget: (account) => void forgotten.push(account),
    claim: async () => ({ kind: "self" }),
    replicas: () => [],
    waiting: () => [],
    observeAccounts: () => () => {},
    accounts: async () => [],
    ...known,
  };
  const options: RoutingOptions = {
    ownership,
    pause: pauseOn(wall),
    stopping: stop.signal,
    finishNow: new AbortController().signal,
    openUnknown: () => undefined,
    opensFor: () => false,
    fetch: () => new Response("answered here"),
    ...changed,
  };
  return { options, wall, stop, lease, forgotten };
}
