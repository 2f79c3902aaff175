import type { ControlClient } from "../control-client/control-client.ts";
import { warnInProcess } from "./report.ts";
import type {
  Attempt,
  CallbackChange,
  CallbackSettings,
  CallbackTest,
  ChangedCallbacks,
  Clock,
  Count,
  GatewayRequest,
  LedgerEntry,
  List,
  Message,
  RequestMatch,
  Wallet,
} from "../control-client/shapes.ts";

/** The account's money, in shillings. */
export class WalletControl {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  read(): Promise<Wallet> {
    return this.#client.get("wallet");
  }

  /** Adds money, as the paybill would: "500" or "99.50". */
  topUp(amount: string): Promise<Wallet> {
    return this.#client.post("wallet/top-ups", { amount });
  }

  /** Sets what is available; holds stay. */
  set(balance: string): Promise<Wallet> {
    return this.#client.put("wallet", { balance });
  }

  /** Oldest first. */
  async ledger(): Promise<LedgerEntry[]> {
    return (await this.#client.get<List<LedgerEntry>>("ledger", { limit: MOST_ROWS })).items;
  }
}

/** Rows that the control API gives at once. */
const MOST_ROWS = 1_000;

/** The account's dial. */
export class ClockControl {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  read(): Promise<Clock> {
    return this.#client.get("clock");
  }

  set(
    clock: "real" | "manual" | `x${number}` | { mode: "real" | "manual" | "scaled" | `x${number}`; now?: string; scale?: number },
  ): Promise<Clock> {
    return this.#client.put("clock", clock);
  }

  /** Moves a manual clock on by a duration such as "10m", or to the next thing due; answers the callback attempts, in order. */
  async advance(by: string): Promise<Attempt[]> {
    const { fired } = await this.#client.post<{ fired: Attempt[] }>("clock/advance", by === "next" ? { to: "next" } : { by });
    return fired;
  }
}

/** SMS as the handset got them. */
export class MessageControl {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Newest first. */
  async list(phoneNumber?: string): Promise<Message[]> {
    return (await this.#client.get<List<Message>>("messages", { phone_number: phoneNumber })).items;
  }

  /** The newest message to a number that came after another one; waits for it (wall time). Undefined when none came. */
  async next(phoneNumber: string, { after, wait = "10s" }: { after?: string; wait?: string } = {}): Promise<Message | undefined> {
    return (await this.#client.get<List<Message>>("messages", { phone_number: phoneNumber, after, wait })).items[0];
  }
}

/** The requests that reached the gateway. */
export class RequestControl {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Newest first. */
  async list(match: RequestMatch = {}): Promise<GatewayRequest[]> {
    return (await this.#client.get<List<GatewayRequest>>("requests", { ...match })).items;
  }

  async count(match: RequestMatch = {}): Promise<number> {
    return (await this.#client.get<{ count: number }>("requests/count", { ...match })).count;
  }

  /** Waits (wall time) until so many requests match; throws a `ControlError` 406 with expected against actual. */
  async verify(match: RequestMatch, count: Count, within = "0"): Promise<void> {
    await this.#client.post("requests/verify", { match, count, within });
  }
}

/** Where callbacks go, and what came of them. */
export class CallbackControl {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  read(): Promise<CallbackSettings> {
    return this.#client.get("callbacks");
  }

  /** Changes what is named; `kredo:sink` delivers into the sandbox, for `received`. A URL that would never be called is a `KredoWarning`. */
  async set(change: CallbackChange): Promise<ChangedCallbacks> {
    const { airtime, sms } = change;
    const urls = {
      ...(typeof airtime === "string" && { airtime: this.#client.reachable(airtime) }),
      ...(typeof sms === "string" && { sms: this.#client.reachable(sms) }),
    };
    const changed = await this.#client.put<ChangedCallbacks>("callbacks", { ...change, ...urls });
    changed.warnings.forEach(warnInProcess);
    return changed;
  }

  /** Sends a sample and says what came back. */
  test(operation: "airtime" | "sms"): Promise<CallbackTest> {
    return this.#client.post("callbacks/test", { operation });
  }

  /** What the built-in receiver got, newest first. */
  async received(): Promise<Attempt[]> {
    return (await this.#client.get<List<Attempt>>("callbacks/received")).items;
  }
}
