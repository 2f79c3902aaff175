import "../../node-version.js";
import { isPath } from "../../gateway/scenario/is-path.ts";
import { resolve } from "node:path";
import { GenericContainer, Wait } from "testcontainers";
import { PRODUCTS } from "../../gateway/domain/order.ts";
import type { AccountOptions, SandboxOptions } from "../sandbox-options.ts";
import { IMAGE } from "../../version.ts";
import { HOST_NAME, urlFromContainer, writeConfig } from "./container-config.ts";
import { findEngine, type Start, startOrExplain } from "./start-or-explain.ts";
import { reachSandbox, type StartedKredoContainer } from "./started-kredo-container.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "../account.ts";
export { ControlError } from "../../control/client/control-client.ts";
export type { AccountOptions, SandboxOptions } from "../sandbox-options.ts";
export type * from "../../control/client/shapes.ts";
export type * from "../../verdict/endpoints/shapes.ts";
export { StartedKredoContainer } from "./started-kredo-container.ts";

/** One URL for both operations, or one for each. */
export type CallbackUrls = string | { readonly airtime?: string; readonly sms?: string };

/** The port inside the container; the engine chooses the one outside. */
const PORT = 8254;

/** Where files from this machine are copied; the image's config keeps its scenarios here, too. */
const SCENARIO_FOLDER = "/config/scenarios";

/**
 * A sandbox in a container. Its configuration is checked at startup: `start` rejects with every mistake. It logs at the level info, because
 * its log says when it is ready.
 */
export class KredoContainer extends GenericContainer {
  #config: SandboxOptions | string | undefined;
  #callbackUrls: CallbackUrls = {};
  readonly #accounts: AccountOptions[] = [];
  readonly #scenarios: string[] = [];
  #created: Parameters<Start>[0] = () => Promise.resolve();

  /** The image. Defaults to the one of this package's version. */
  constructor(image = IMAGE) {
    super(image);
    this.withExposedPorts(PORT);
    this.withExtraHosts([{ host: HOST_NAME, ipAddress: "host-gateway" }]);
    this.withWaitStrategy(Wait.forLogMessage("Ready."));
  }

  /** Sets the config, as an object or as YAML text. The last call wins. */
  withConfig(config: SandboxOptions | string): this {
    this.#config = config;
    return this;
  }

  /** Adds an account after those of the config. The first account of all is the default one. */
  withAccount(account: AccountOptions): this {
    this.#accounts.push(account);
    return this;
  }

  /**
   * Adds a scenario after those added before: the name of a shipped one, the path of a file on this machine, or its content as an object.
   * Scenarios added here replace those of the config.
   */
  withScenario(scenario: string | object): this {
    const target = `${SCENARIO_FOLDER}/${this.#scenarios.length + 1}.yaml`;
    if (typeof scenario === "object")
      this.withCopyContentToContainer([{ content: JSON.stringify(scenario), target, mode: 0o644 }]);
    else if (isPath(scenario)) this.withCopyFilesToContainer([{ source: resolve(scenario), target, mode: 0o644 }]);
    this.#scenarios.push(typeof scenario === "object" || isPath(scenario) ? target : scenario);
    return this;
  }

  /**
   * Sets the callback URLs of the default account. `localhost` means this machine, not the container; the receiver has to listen on
   * 0.0.0.0.
   */
  withCallbackUrl(urls: CallbackUrls): this {
    this.#callbackUrls = urls;
    return this;
  }

  override async start(): Promise<StartedKredoContainer> {
    const engine = await findEngine();
    const adminToken = this.#setEnvironment();
    const started = await startOrExplain(engine, (created) => {
      this.#created = created;
      return super.start();
    });
    return reachSandbox(started, PORT, adminToken);
  }

  /** Sets the environment variables. Returns the admin token that the control API will require. */
  #setEnvironment(): string | undefined {
    this.withEnvironment({ KREDO_PORT: `${PORT}`, KREDO_LOG_LEVEL: "info" });
    const urls = this.#callbackUrls;
    for (const product of PRODUCTS) {
      const url = typeof urls === "string" ? urls : urls[product];
      if (url !== undefined)
        this.withEnvironment({ [`KREDO_CALLBACK_URL_${product.toUpperCase()}`]: urlFromContainer(url) });
    }
    if (this.#scenarios.length > 0) this.withEnvironment({ KREDO_SCENARIO: this.#scenarios.join(",") });
    if (this.#config === undefined && this.#accounts.length === 0) return this.environment["KREDO_ADMIN_TOKEN"];
    const { text, adminToken } = writeConfig(this.#config ?? {}, this.#accounts);
    this.withEnvironment({ KREDO_CONFIG_INLINE: text });
    return this.environment["KREDO_ADMIN_TOKEN"] ?? adminToken;
  }

  protected override containerCreated(containerId: string): Promise<void> {
    return this.#created(containerId);
  }
}
