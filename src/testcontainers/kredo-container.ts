import { resolve } from "node:path";
import { GenericContainer, Wait } from "testcontainers";
import type { AccountOptions, SandboxOptions } from "../testing/options.ts";
import { IMAGE } from "../version.ts";
import { HOST_NAME, seenFromInside, withReachableCallbacks } from "./host-address.ts";
import { findEngine, type Start, startOrExplain } from "./start-or-explain.ts";
import { reachSandbox, type StartedKredoContainer } from "./started-kredo-container.ts";
import { writeConfig } from "./write-config.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "../testing/account.ts";
export { ControlError } from "../control-client/control-client.ts";
export type { AccountOptions, SandboxOptions } from "../testing/options.ts";
export type * from "../control-client/shapes.ts";
export { StartedKredoContainer } from "./started-kredo-container.ts";

/** One URL for both operations, or one for each. */
export type CallbackUrls = string | { readonly airtime?: string; readonly sms?: string };

/** The port in the container; which one it has outside, the engine decides. */
const PORT = 8254;

/** Where files from this machine are put; the image's config has its scenarios here, too. */
const SCENARIO_FOLDER = "/config/scenarios";

/** A sandbox in a container. What it is told is checked when it starts: `start` rejects with every mistake. */
export class KredoContainer extends GenericContainer {
  #config: SandboxOptions | string | undefined;
  #callbackUrls: CallbackUrls = {};
  readonly #accounts: AccountOptions[] = [];
  readonly #scenarios: string[] = [];
  #created: Parameters<Start>[0] = () => Promise.resolve();

  /** The image as the engine finds it; unless given, that of this package's version. */
  constructor(image = IMAGE) {
    super(image);
    this.withExposedPorts(PORT);
    this.withExtraHosts([{ host: HOST_NAME, ipAddress: "host-gateway" }]);
    this.withWaitStrategy(Wait.forLogMessage("Ready."));
  }

  /** What would stand in a config file, or the text of one. The last call counts. */
  withConfig(config: SandboxOptions | string): this {
    this.#config = config;
    return this;
  }

  /** One more account, after the config's. The first of all is the default one. */
  withAccount(account: AccountOptions): this {
    this.#accounts.push(account);
    return this;
  }

  /**
   * One more scenario, asked after those before it: the name of a shipped one, the path of a file on this machine, or what would
   * stand in one. They take the place of the config's.
   */
  withScenario(scenario: string | object): this {
    const target = `${SCENARIO_FOLDER}/${this.#scenarios.length + 1}.yaml`;
    if (typeof scenario === "object") this.withCopyContentToContainer([{ content: JSON.stringify(scenario), target, mode: 0o644 }]);
    else if (isPath(scenario)) this.withCopyFilesToContainer([{ source: resolve(scenario), target, mode: 0o644 }]);
    this.#scenarios.push(typeof scenario === "object" || isPath(scenario) ? target : scenario);
    return this;
  }

  /**
   * Where the default account's results are sent. `localhost` means this machine, and not the container; its receiver has to
   * listen on 0.0.0.0.
   */
  withCallbackUrl(urls: CallbackUrls): this {
    this.#callbackUrls = urls;
    return this;
  }

  override async start(): Promise<StartedKredoContainer> {
    const engine = await findEngine();
    const adminToken = this.#tell();
    const started = await startOrExplain(engine, (created) => {
      this.#created = created;
      return super.start();
    });
    return reachSandbox(started, { port: PORT, adminToken });
  }

  /** Sets the environment; answers the token that the control API then asks for. */
  #tell(): string | undefined {
    const config = this.#config === undefined && this.#accounts.length === 0 ? undefined : (this.#config ?? {});
    const written = config === undefined ? undefined : writeConfig(config, this.#accounts.map(withReachableCallbacks));
    this.withEnvironment({ KREDO_PORT: `${PORT}`, ...this.#variables(), ...(written && { KREDO_CONFIG_INLINE: written.text }) });
    return this.environment["KREDO_ADMIN_TOKEN"] ?? written?.adminToken;
  }

  #variables(): Record<string, string> {
    const { airtime, sms } =
      typeof this.#callbackUrls === "string" ? { airtime: this.#callbackUrls, sms: this.#callbackUrls } : this.#callbackUrls;
    return {
      ...(airtime !== undefined && { KREDO_CALLBACK_URL_AIRTIME: seenFromInside(airtime) }),
      ...(sms !== undefined && { KREDO_CALLBACK_URL_SMS: seenFromInside(sms) }),
      ...(this.#scenarios.length > 0 && { KREDO_SCENARIO: this.#scenarios.join(",") }),
    };
  }

  protected override containerCreated(containerId: string): Promise<void> {
    return this.#created(containerId);
  }
}

function isPath(scenario: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/.test(scenario);
}
