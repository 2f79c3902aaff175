import { AbstractStartedContainer, type StartedTestContainer } from "testcontainers";
import type { ControlTarget } from "../../control/client/control-client.ts";
import { type Account, allAccounts, openAccount } from "../account.ts";
import type { AccountOptions } from "../sandbox-options.ts";
import { urlFromContainer, withReachableCallbacks } from "./container-config.ts";

/** Connects to the sandbox in a started container. Stops the container if its control API refuses. */
export async function reachSandbox(
  container: StartedTestContainer,
  port: number,
  adminToken: string | undefined,
): Promise<StartedKredoContainer> {
  const control: ControlTarget = {
    // Looked up each time, because a restart changes the port.
    get url() {
      return `http://${container.getHost()}:${container.getMappedPort(port)}`;
    },
    send: (request) => fetch(request),
    adminToken,
    reachable: urlFromContainer,
  };
  try {
    return new StartedKredoContainer(container, control, await allAccounts(control));
  } catch (error) {
    await container.stop();
    throw error;
  }
}

/** A sandbox running in a container. */
export class StartedKredoContainer extends AbstractStartedContainer {
  readonly #control: ControlTarget;
  readonly #accounts: readonly Account[];

  constructor(container: StartedTestContainer, control: ControlTarget, accounts: readonly Account[]) {
    super(container);
    this.#control = control;
    this.#accounts = accounts;
  }

  /** The sandbox's URL, as seen from this machine, without a trailing slash. */
  getUrl(): string {
    return this.#control.url;
  }

  /** The base URL for gateway clients: `getUrl()` with `/api/v2`. */
  getBaseUrl(): string {
    return `${this.getUrl()}/api/v2`;
  }

  /** The default account's consumer key. */
  getConsumerKey(): string {
    return this.account().consumerKey;
  }

  /** The default account's consumer secret. */
  getConsumerSecret(): string {
    return this.account().consumerSecret;
  }

  /** The default account, or the account with this key from the config or `withAccount`. */
  account(consumerKey?: string): Account {
    const found = this.#accounts.find((account) => consumerKey === undefined || account.consumerKey === consumerKey);
    if (found !== undefined) return found;
    const keys = this.#accounts.map((account) => account.consumerKey).join(", ");
    throw new TypeError(
      `the sandbox started without an account ${JSON.stringify(consumerKey)}; it has ${keys}, and openAccount opens another`,
    );
  }

  /** Opens a new account, such as one for a single test. Credentials and profile are generated unless the options set them. */
  openAccount(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, withReachableCallbacks(options));
  }
}
