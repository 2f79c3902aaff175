import { AbstractStartedContainer, type StartedTestContainer } from "testcontainers";
import type { Account } from "../testing/account.ts";
import type { ControlTarget } from "../control-client/control-client.ts";
import { holdAccounts, openAccount } from "../testing/open-account.ts";
import type { AccountOptions } from "../testing/options.ts";
import { seenFromInside, withReachableCallbacks } from "./host-address.ts";

export interface Reach {
  /** The port in the container. */
  readonly port: number;
  readonly adminToken: string | undefined;
}

/** Goes to the sandbox in a container that has started; one whose control API refuses is stopped again. */
export async function reachSandbox(container: StartedTestContainer, { port, adminToken }: Reach): Promise<StartedKredoContainer> {
  const control: ControlTarget = {
    // Asked each time: a restart changes the port.
    get url() {
      return `http://${container.getHost()}:${container.getMappedPort(port)}`;
    },
    send: (request) => fetch(request),
    ...(adminToken !== undefined && { adminToken }),
    reachable: seenFromInside,
  };
  try {
    return new StartedKredoContainer(container, control, await holdAccounts(control));
  } catch (error) {
    await container.stop();
    throw error;
  }
}

/** A sandbox that runs in a container, as a test holds it in its hand. */
export class StartedKredoContainer extends AbstractStartedContainer {
  readonly #control: ControlTarget;
  readonly #accounts: readonly Account[];

  constructor(container: StartedTestContainer, control: ControlTarget, accounts: readonly Account[]) {
    super(container);
    this.#control = control;
    this.#accounts = accounts;
  }

  /** Where the sandbox listens, seen from this machine, without a slash at the end. */
  getUrl(): string {
    return this.#control.url;
  }

  /** What a client of the gateway takes in place of the live base URL: `getUrl()` with `/api/v2`. */
  getBaseUrl(): string {
    return `${this.getUrl()}/api/v2`;
  }

  /** The default account's. */
  getConsumerKey(): string {
    return this.account().consumerKey;
  }

  /** The default account's. */
  getConsumerSecret(): string {
    return this.account().consumerSecret;
  }

  /** The default account, or the one of the config or of `withAccount` that has this key. */
  account(consumerKey?: string): Account {
    const found = this.#accounts.find((account) => consumerKey === undefined || account.consumerKey === consumerKey);
    if (found !== undefined) return found;
    const keys = this.#accounts.map((account) => account.consumerKey).join(", ");
    throw new TypeError(
      `the sandbox began without an account ${JSON.stringify(consumerKey)}; it has ${keys}, and openAccount opens another`,
    );
  }

  /** A fresh account, with credentials and a profile of its own where the options name none. What one test takes. */
  openAccount(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, withReachableCallbacks(options));
  }
}
