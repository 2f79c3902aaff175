import { formatProblem } from "../document/problem.ts";
import { CallbackControl, ClockControl, MessageControl, RequestControl, WalletControl } from "./account-controls.ts";
import type { ControlClient } from "../control-client/control-client.ts";
import { warnInProcess } from "./report.ts";
import type { ActiveScenario, BegunScenarios, Finding, List, Reports, Transaction, TransactionDetail } from "../control-client/shapes.ts";

export interface Credentials {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

export interface TransactionFilter {
  readonly operation?: "airtime" | "sms";
  readonly phone_number?: string;
  readonly state?: Transaction["state"];
  /** ISO 8601, on the account's clock. */
  readonly since?: string;
}

export interface FindingFilter {
  readonly severity?: Finding["severity"];
  /** The id of a detector. */
  readonly id?: string;
}

/** One account of a sandbox, as a test holds it in its hand. What is refused throws a `ControlError`. */
export class Account implements AsyncDisposable {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly wallet: WalletControl;
  readonly clock: ClockControl;
  readonly messages: MessageControl;
  readonly requests: RequestControl;
  readonly callbacks: CallbackControl;
  readonly #client: ControlClient;

  constructor({ consumerKey, consumerSecret }: Credentials, client: ControlClient) {
    this.consumerKey = consumerKey;
    this.consumerSecret = consumerSecret;
    this.#client = client;
    this.wallet = new WalletControl(client);
    this.clock = new ClockControl(client);
    this.messages = new MessageControl(client);
    this.requests = new RequestControl(client);
    this.callbacks = new CallbackControl(client);
  }

  /** Calls the gateway: a path such as `/api/v2/airtime`, with this account's credentials unless the call brings its own. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const credentials = Buffer.from(`${this.consumerKey}:${this.consumerSecret}`).toString("base64");
    if (!headers.has("authorization")) headers.set("authorization", `Basic ${credentials}`);
    return this.#client.send(path, { ...init, headers });
  }

  /**
   * Begins a scenario: the text of a file, or what would stand in one, or `{ name }` of a shipped one. Throws a `ControlError` 422
   * that names each mistake; what can have no effect is a warning of the process (`KredoWarning`). Its rules are tried after those
   * of the active scenarios, or before them with `{ place: "first" }`.
   */
  async scenario(written: string | object, { place = "last" }: { place?: "first" | "last" } = {}): Promise<ActiveScenario[]> {
    const path = `scenarios?place=${place}`;
    const begun =
      typeof written === "string" ? this.#client.postYaml<BegunScenarios>(path, written) : this.#client.post<BegunScenarios>(path, written);
    const { items, warnings } = await begun;
    for (const warning of warnings) warnInProcess(formatProblem({ file: "body", ...warning }));
    return items;
  }

  /** The active scenarios, in the order in which their rules are tried. */
  async scenarios(): Promise<ActiveScenario[]> {
    return (await this.#client.get<{ items: ActiveScenario[] }>("scenarios")).items;
  }

  /** Ends one scenario, or all of them. */
  async endScenario(name?: string): Promise<void> {
    await this.#client.delete(name === undefined ? "scenarios" : `scenarios/${encodeURIComponent(name)}`);
  }

  /** Switches a rule of an active scenario. */
  async switchRule(scenario: string, rule: string, is: "on" | "off"): Promise<void> {
    await this.#client.patch(`scenarios/${encodeURIComponent(scenario)}`, { rule, on: is === "on" });
  }

  /** Resolves when every transaction is resolved; throws a `ControlError` 408 with what is pending when `within` is over. */
  async drain(within = "30s"): Promise<void> {
    await this.#client.post("drain", { within });
  }

  /** Newest first. */
  async transactions(filter: TransactionFilter = {}): Promise<Transaction[]> {
    return (await this.#client.get<List<Transaction>>("transactions", { ...filter })).items;
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
  resend(requestId: string): Promise<TransactionDetail> {
    return this.#client.post(`transactions/${requestId}/resend`, {});
  }

  /** What was noticed in the client's and the receiver's behaviour since the opening or the last reset, defects first. */
  async findings(filter: FindingFilter = {}): Promise<Finding[]> {
    return (await this.#client.get<{ readonly items: Finding[] }>("findings", { ...filter })).items;
  }

  /** Verdicts, findings, requests and callbacks, the wallet: as JSON, or as the text of a JUnit XML file, of one HTML page, or of lines for a terminal. */
  report(format?: "json"): Promise<Reports>;
  report(format: "junit" | "html" | "text"): Promise<string>;
  report(format: "json" | "junit" | "html" | "text" = "json"): Promise<Reports | string> {
    return format === "json" ? this.#client.get<Reports>("report") : this.#client.getText(`report?format=${format}`);
  }

  /** Back to the account's seed state: wallet, journal, counters, clock. */
  async reset(): Promise<void> {
    await this.#client.post("reset", {});
  }

  /** Drops the account with all that it has pending; `await using` does it by itself. */
  close(): Promise<void> {
    return this.#client.delete("");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
