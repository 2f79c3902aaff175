import { accountPath, ControlClient, type ControlTarget } from "../control-client/control-client.ts";
import { Account, type Credentials } from "./account.ts";
import { SandboxClosedError } from "./errors.ts";
import { openAccount } from "./open-account.ts";
import type { AccountOptions } from "./options.ts";

/** HTTPS of a sandbox in this process. */
export interface SecurePort {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** The certificate to trust, as PEM text; of an authority for this sandbox alone, unless `https.ca_folder` keeps one. */
  readonly ca: string;
}

/** What stands behind a `Sandbox`. */
export interface SandboxBackend {
  readonly control: ControlTarget;
  /** The account that the sandbox itself stands for, as the control API names it. */
  readonly account: string;
  readonly credentials: Credentials;
  readonly https?: SecurePort | undefined;
  readonly stop: () => Promise<void>;
}

/** A sandbox and one of its accounts: the default one, unless `KREDO_CONSUMER_KEY` named another to `connectSandbox`. */
export class Sandbox extends Account {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Where it takes HTTPS and the certificate to trust as PEM text, where the options asked for it. */
  readonly https: SecurePort | undefined;
  readonly #control: ControlTarget;
  readonly #close: () => Promise<void>;

  constructor({ control: target, account, credentials, https, stop }: SandboxBackend) {
    let isClosed = false;
    const control: ControlTarget = {
      ...target,
      send: async (request) => {
        if (isClosed) throw new SandboxClosedError(`the sandbox at ${target.url} was closed; make calls before close()`);
        return target.send(request);
      },
    };
    super(credentials, new ControlClient(control, accountPath(account)));
    this.url = control.url;
    this.https = https;
    this.#control = control;
    this.#close = async () => {
      if (isClosed) return;
      isClosed = true;
      await stop();
    };
  }

  /** A fresh account, with credentials and a profile of its own where the options name none. */
  account(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, options);
  }

  /** Frees the port and cancels every timer of a sandbox in this process; leaves one that runs elsewhere. Every later call is refused. */
  override close(): Promise<void> {
    return this.#close();
  }
}
