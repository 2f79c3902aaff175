import type { JSX } from "preact";
import { sandbox } from "../../api/sandbox.ts";
import { ActionButton, AskingButton } from "../../parts/form.tsx";
import { goTo } from "../../base/route.ts";
import { accountKey, accounts, listAccounts } from "../../live/store.ts";
import { counted } from "../../../gateway/domain/counted.ts";

export function Accounts(): JSX.Element {
  const key = accountKey.value ?? "";
  return (
    <section class="card stack close" aria-labelledby="account-list">
      <h2 id="account-list">Accounts</h2>
      <p class="quiet">
        {counted(accounts.value.length, "account")}, to choose from at the top. Each has its own wallet, clock and
        journal, so parallel tests do not affect each other.
      </p>
      <div class="row">
        <ActionButton
          class="button small"
          onAct={openAccount}
          done="A new account is open, with its own key and secret."
        >
          New account
        </ActionButton>
        <AskingButton deletes label="Drop this one…" title={`Drop ${key}?`} goAhead="Drop" onGoAhead={() => drop(key)}>
          <p>Its wallet, its journal and all pending work are deleted for good. From then on, its clients get 401.</p>
        </AskingButton>
      </div>
    </section>
  );
}

async function openAccount(): Promise<void> {
  const { consumer_key: key } = await sandbox().post("accounts", {});
  await listAccounts();
  goTo({ view: "account", query: { account: key } });
}

/** Leaves the dropped account at once, so that nothing requests it. The list of accounts updates later. */
async function drop(key: string): Promise<string> {
  await sandbox().delete(`accounts/${encodeURIComponent(key)}`);
  accounts.value = accounts.value.filter((one) => one !== key);
  goTo({ view: "account", query: { account: "" } });
  return `${key} is dropped.`;
}
