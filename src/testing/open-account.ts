import { Account, type Credentials } from "./account.ts";
import { accountPath, ADMIN_PATH, ControlClient, type ControlTarget } from "../control-client/control-client.ts";
import type { AccountOptions } from "./options.ts";
import type { AccountDetail } from "../control-client/shapes.ts";

/** Opens a new account. Credentials and profile are generated unless the options set them. */
export async function openAccount(control: ControlTarget, options: AccountOptions): Promise<Account> {
  const opened = await new ControlClient(control, ADMIN_PATH).post<AccountDetail>("accounts", options);
  return holdAccount(control, { consumerKey: opened.consumer_key, consumerSecret: opened.consumer_secret });
}

/** Returns every account of a sandbox, the default one first. */
export async function holdAccounts(control: ControlTarget): Promise<Account[]> {
  const { items } = await new ControlClient(control, ADMIN_PATH).get<{ readonly items: readonly AccountDetail[] }>(
    "accounts",
  );
  return items.map((account) =>
    holdAccount(control, { consumerKey: account.consumer_key, consumerSecret: account.consumer_secret }),
  );
}

function holdAccount(control: ControlTarget, credentials: Credentials): Account {
  return new Account(credentials, new ControlClient(control, accountPath(credentials.consumerKey)));
}
