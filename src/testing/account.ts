import { CallbackControl, ClockControl, MessageControl, RequestControl, WalletControl } from "./account-controls.ts";
import {
  accountPath,
  ADMIN_PATH,
  ControlClient,
  ControlError,
  type ControlTarget,
} from "../control/client/control-client.ts";
import type {
  AccountJson,
  ActiveScenarioJson,
  ListBound,
  TransactionJson,
  TransactionDetail,
} from "../control/client/shapes.ts";
import type { FindingJson, ReportJson } from "../verdict/endpoints/shapes.ts";
import type { AccountClient, SandboxClient } from "../verdict/endpoints/client.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import type { AccountOptions } from "./sandbox-options.ts";
import type { Operation } from "../gateway/domain/order.ts";

/** Opens a new account. Credentials and profile are generated unless the options set them. */
export async function openAccount(control: ControlTarget, options: AccountOptions): Promise<Account> {
  return reach(control, await wholeSandbox(control).post("accounts", options));
}

/** Returns every account of a sandbox, the default one first. */
export async function allAccounts(control: ControlTarget): Promise<Account[]> {
  const { items } = await wholeSandbox(control).get("accounts");
  return items.map((account) => reach(control, account));
}

function wholeSandbox(control: ControlTarget): SandboxClient {
  return new ControlClient(control, ADMIN_PATH);
}

function reach(
  control: ControlTarget,
  { consumer_key: consumerKey, consumer_secret: consumerSecret }: AccountJson,
): Account {
  return new Account({ consumerKey, consumerSecret }, new ControlClient(control, accountPath(consumerKey)));
}

export interface Credentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

export interface TransactionFilter extends ListBound {
  readonly operation?: Operation;
  readonly phone_number?: string;
  readonly state?: TransactionJson["state"];
  /** ISO 8601, on the account's clock. */
  readonly since?: string;
}

/** Has no other key of a scenario, or TypeScript would take a scenario with a mistake for one. */
type ShippedName = { readonly name: string } & { readonly [Key in Exclude<keyof Scenario, "name">]?: never };

export interface FindingFilter extends ListBound {
  readonly severity?: FindingJson["severity"];
  /** A check's id. */
  readonly id?: string;
}

/** One account of a sandbox. Refused calls throw a `ControlError`. */
export class Account implements AsyncDisposable {
  readonly consumerKey: string;
  #consumerSecret: string;
  readonly wallet: WalletControl;
  readonly clock: ClockControl;
  readonly messages: MessageControl;
  readonly requests: RequestControl;
  readonly callbacks: CallbackControl;
  readonly #client: AccountClient;

  /** @internal */
  constructor({ consumerKey, consumerSecret }: Credentials, client: AccountClient) {
    this.consumerKey = consumerKey;
    this.#consumerSecret = consumerSecret;
    this.#client = client;
    this.wallet = new WalletControl(client);
    this.clock = new ClockControl(client);
    this.messages = new MessageControl(client);
    this.requests = new RequestControl(client);
    this.callbacks = new CallbackControl(client);
  }

  /** The secret that it was opened with, or the one of the last `rotateSecret`. */
  get consumerSecret(): string {
    return this.#consumerSecret;
  }

  /** Calls the gateway at a path such as `/api/v2/airtime`, with this account's credentials unless the call sets its own. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const credentials = Buffer.from(`${this.consumerKey}:${this.consumerSecret}`).toString("base64");
    if (!headers.has("authorization")) headers.set("authorization", `Basic ${credentials}`);
    return this.#client.send(path, { ...init, headers });
  }

  /**
   * Starts a scenario: the YAML text of a file, the same as an object, or `{ name }` of a shipped one. Throws a `ControlError` 422 that
   * lists every mistake. Returns the scenario. Its rules are tried after those of the active scenarios, or before them with `{ place: "first" }`.
   */
  scenario(
    written: string | Scenario | ShippedName,
    { place = "last" }: { place?: "first" | "last" } = {},
  ): Promise<ActiveScenarioJson> {
    const path = `scenarios?place=${place}` as const;
    return typeof written === "string" ? this.#client.postYaml(path, written) : this.#client.post(path, written);
  }

  /** The active scenarios, in the order in which their rules are tried. */
  async scenarios(): Promise<ActiveScenarioJson[]> {
    return (await this.#client.get("scenarios")).items;
  }

  /** Stops one scenario, or all of them. */
  async endScenario(name?: string): Promise<void> {
    await this.#client.delete(name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`);
  }

  /** Switches a rule of an active scenario on or off. */
  async switchRule(scenario: string, rule: string, is: "on" | "off"): Promise<void> {
    await this.#client.patch(`scenarios/${encodeURIComponent(scenario)}`, { rule, on: is === "on" });
  }

  /** Resolves when every transaction is resolved. Throws a `ControlError` 408 that lists what is pending after `within`. */
  async drain(within = "30s"): Promise<void> {
    await this.#client.post("drain", { within });
  }

  /** Every transaction that matches, newest first. */
  transactions(filter: TransactionFilter = {}): Promise<TransactionJson[]> {
    return this.#client.list("transactions", { ...filter });
  }

  /** With its timeline, ledger entries, plan and callback attempts. */
  transaction(requestId: string): Promise<TransactionDetail> {
    return this.#client.get(`transactions/${requestId}`);
  }

  /** Settles a queued transaction now, as planned or with this result. */
  settle(requestId: string, result: { result_code?: number; result_desc?: string } = {}): Promise<TransactionDetail> {
    return this.#client.post(`transactions/${requestId}/settle`, result);
  }

  /** Delivers a resolved transaction's callback again. */
  async resend(requestId: string): Promise<void> {
    await this.#client.post("callbacks/resend", { request_ids: [requestId] });
  }

  /** Problems found in the behaviour of the client and the receiver since the account was opened or last reset, defects first. */
  findings(filter: FindingFilter = {}): Promise<FindingJson[]> {
    return this.#client.list("findings", { ...filter });
  }

  /**
   * Verdicts, findings, requests, callbacks and the wallet: as JSON, or as the text of a JUnit XML file, an HTML page or terminal output.
   */
  report(format?: "json"): Promise<ReportJson>;
  report(format: "junit" | "html" | "text"): Promise<string>;
  async report(format: "json" | "junit" | "html" | "text" = "json"): Promise<ReportJson | string> {
    const text = await this.#client.getText(`report?format=${format}`);
    return format === "json" ? JSON.parse(text) : text;
  }

  /** Replaces the consumer secret, by default with a generated one: the former one gets 401 from now on. Returns the new one. */
  async rotateSecret(secret?: string): Promise<string> {
    const { consumer_secret: rotated } = await this.#client.put("credentials", { consumer_secret: secret });
    return (this.#consumerSecret = rotated);
  }

  /** Resets the account to its initial state: wallet, journal, counters and clock. */
  async reset(): Promise<void> {
    await this.#client.post("reset", {});
  }

  /** Deletes the account and everything pending; does nothing if it is gone. `await using` calls this automatically. */
  async close(): Promise<void> {
    await this.#client.delete("").catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  /** Does not throw, because the error of the block that ends here would be hidden in a `SuppressedError`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => {});
  }
}

/** Thrown by calls on a closed sandbox or one of its accounts. */
export class SandboxClosedError extends Error {
  static override readonly name = "SandboxClosedError";
  override readonly name = SandboxClosedError.name;
}

function isGone(error: unknown): boolean {
  return error instanceof SandboxClosedError || (error instanceof ControlError && error.status === 404);
}
