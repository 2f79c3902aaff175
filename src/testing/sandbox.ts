import { accountPath, ControlClient, type ControlTarget } from "../control/client/control-client.ts";
import { Account, type Credentials, openAccount, SandboxClosedError } from "./account.ts";
import type { AccountOptions } from "./sandbox-options.ts";

/** The HTTPS port of a sandbox in this process. */
export interface SecurePort {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** The CA certificate to trust, as PEM text. The authority is for this sandbox only, unless `https.ca_folder` is set. */
  readonly ca: string;
}

/** A sandbox and one of its accounts: the default one, or for `connectSandbox` the one that `KREDO_CONSUMER_KEY` names. */
export class Sandbox extends Account {
  /** The URL, without a trailing slash. */
  readonly url: string;
  /** The HTTPS URL and the CA certificate to trust, if the options enable HTTPS. */
  readonly https: SecurePort | undefined;
  readonly #control: ControlTarget;
  readonly #close: () => Promise<void>;

  constructor(credentials: Credentials, target: ControlTarget, stop: () => Promise<void>, https?: SecurePort) {
    let closed: Promise<void> | undefined;
    const control: ControlTarget = {
      ...target,
      send: async (request) => {
        if (closed === undefined) return target.send(request);
        throw new SandboxClosedError(`the sandbox at ${target.url} was closed; make calls before close()`);
      },
    };
    super(credentials, new ControlClient(control, accountPath(credentials.consumerKey)));
    this.url = control.url;
    this.https = https;
    this.#control = control;
    this.#close = () => (closed ??= stop());
  }

  /** Opens a new account. Credentials and profile are generated unless the options set them. */
  account(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, options);
  }

  /**
   * Frees the port and cancels every timer of a sandbox in this process; a sandbox running elsewhere is left alone. Every later call is
   * refused.
   */
  override close(): Promise<void> {
    return this.#close();
  }
}
