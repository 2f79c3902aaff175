import type { AccountClient } from "../verdict/endpoints/client.ts";
import type {
  Attempt,
  CallbackChange,
  CallbackSettingsJson,
  ChangedCallbacks,
  Clock,
  Count,
  GatewayRequest,
  LedgerEntryJson,
  ListBound,
  MessageJson,
  RequestFilter,
  WalletJson,
} from "../control/client/shapes.ts";
import type { DiagnosisJson } from "../verdict/endpoints/shapes.ts";
import type { ClockOption } from "./sandbox-options.ts";
import { urlsFrom } from "../gateway/domain/callback-outcome.ts";
import type { Operation } from "../gateway/domain/order.ts";

/** A part of an account, reached through the control API. */
abstract class AccountPart {
  /** @internal */
  protected readonly client: AccountClient;

  /** @internal */
  constructor(client: AccountClient) {
    this.client = client;
  }
}

/** The account's wallet. Amounts are in shillings. */
export class WalletControl extends AccountPart {
  read(): Promise<WalletJson> {
    return this.client.get("wallet");
  }

  /** Adds money, as a paybill payment would: "500" or "99.50". */
  topUp(amount: string): Promise<WalletJson> {
    return this.client.post("wallet/top-ups", { amount });
  }

  /** Sets the available balance; holds stay. */
  set(balance: string): Promise<WalletJson> {
    return this.client.put("wallet", { balance });
  }

  /** Every entry, oldest first. */
  ledger(bound?: ListBound): Promise<LedgerEntryJson[]> {
    return this.client.list("ledger", { ...bound });
  }
}

/** The account's clock. */
export class ClockControl extends AccountPart {
  read(): Promise<Clock> {
    return this.client.get("clock");
  }

  set(clock: ClockOption): Promise<Clock> {
    return this.client.put("clock", clock);
  }

  /**
   * Advances a manual clock by a duration such as "10m", or to the next due event ("next"). Returns the first 1,000 callback attempts made, in
   * order; `callbacks.sent()` lists all.
   */
  async advance(by: string): Promise<Attempt[]> {
    const { fired } = await this.client.post("clock/advance", by === "next" ? { to: "next" } : { by });
    return fired;
  }
}

/** The SMS that handsets received. */
export class MessageControl extends AccountPart {
  /** Newest first: every message, or those to one number. */
  list(phoneNumber?: string, bound?: ListBound): Promise<MessageJson[]> {
    return this.client.list("messages", { phone_number: phoneNumber, ...bound });
  }

  /**
   * Returns the newest message to a number, received after the message `after` if that is given. Waits up to `wait` (wall time), then
   * returns undefined.
   */
  async next(
    phoneNumber: string,
    { after, wait = "10s" }: { after?: string; wait?: string } = {},
  ): Promise<MessageJson | undefined> {
    const query = { phone_number: phoneNumber, after, wait, limit: 1 };
    return (await this.client.get("messages", query)).items[0];
  }
}

/** The requests that reached the gateway. */
export class RequestControl extends AccountPart {
  /** Every request that matches, newest first. */
  list(match: RequestFilter & ListBound = {}): Promise<GatewayRequest[]> {
    return this.client.list("requests", { ...match });
  }

  async count(match: RequestFilter = {}): Promise<number> {
    return (await this.client.get("requests/count", { ...match })).count;
  }

  /** Waits (wall time) until `count` requests match; for 0, until `within` is over. Throws at once if more match, a `ControlError` 406 that compares expected and actual. */
  async verify(match: RequestFilter, count: Count, within = "0"): Promise<void> {
    await this.client.post("requests/verify", { match, count, within });
  }
}

/** Where callbacks are sent, and their outcomes. */
export class CallbackControl extends AccountPart {
  read(): Promise<CallbackSettingsJson> {
    return this.client.get("callbacks");
  }

  /**
   * Changes the given settings. `kredo:sink` delivers into the sandbox, for `received`. `warnings` says why a URL would never be called.
   */
  async set(change: CallbackChange): Promise<ChangedCallbacks> {
    const urls = urlsFrom((key) => change[key] && this.client.reachable(change[key]));
    return this.client.put("callbacks", { ...change, ...urls });
  }

  /** Sends a sample callback to the registered URL, and says how far it got. */
  test(operation: Operation): Promise<DiagnosisJson> {
    return this.client.post("callbacks/doctor", { operation });
  }

  /** Every callback attempt, newest first. */
  sent(bound?: ListBound): Promise<Attempt[]> {
    return this.client.list("callbacks/sent", { ...bound });
  }

  /** Every callback that the built-in receiver got, newest first. */
  received(bound?: ListBound): Promise<Attempt[]> {
    return this.client.list("callbacks/received", { ...bound });
  }
}
