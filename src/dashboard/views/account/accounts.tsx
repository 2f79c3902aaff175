import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { sandbox } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/dialogs.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { runAction } from "../../parts/notices.tsx";
import { goTo, hrefOf } from "../../base/route.ts";
import { accountKey, accounts, listAccounts } from "../../live/store.ts";
import { counted } from "../../../gateway/domain/counted.ts";

export function Accounts(): JSX.Element {
  const isAsking = useSignal(false);
  const key = accountKey.value ?? "";
  const drop = async (): Promise<void> => {
    isAsking.value = false;
    if (await runAction(() => sandbox().delete(`accounts/${encodeURIComponent(key)}`), `${key} is dropped.`))
      leave(key);
  };
  return (
    <section class="card stack" aria-labelledby="account-list">
      <header class="spread">
        <h2 id="account-list">Accounts</h2>
        <span class="row">
          <ActionButton
            class="button small"
            onAct={switchAccount}
            done="A new account is open, with its own key and secret."
          >
            New account
          </ActionButton>
          <button type="button" class="button small bad" onClick={() => void (isAsking.value = true)}>
            Drop this one…
          </button>
        </span>
      </header>
      <p class="quiet">Each has its own wallet, clock and journal, so parallel tests do not affect each other.</p>
      <Keys chosen={key} />
      {isAsking.value && (
        <Confirm
          deletes
          title={`Drop ${key}?`}
          goAhead="Drop"
          onGoAhead={() => void drop()}
          onCancel={() => void (isAsking.value = false)}
        >
          <p>Its wallet, its journal and all pending work are deleted for good. From then on, its clients get 401.</p>
        </Confirm>
      )}
    </section>
  );
}

/** A test suite may open thousands; the header lists them all. */
const MAX_SHOWN = 100;

function Keys({ chosen }: { readonly chosen: string }): JSX.Element {
  const keys = accounts.value;
  return (
    <ul class="account-keys list" aria-label="Accounts" tabIndex={0}>
      {keys.slice(0, MAX_SHOWN).map((key, index) => (
        <li key={key}>
          <a
            href={hrefOf({ view: "account", query: { account: key } })}
            aria-current={key === chosen ? "true" : undefined}
          >
            <code>{key}</code>
          </a>{" "}
          {index === 0 && <span class="quiet">default</span>}
        </li>
      ))}
      {keys.length > MAX_SHOWN && <li class="quiet">and {counted(keys.length - MAX_SHOWN, "other")}</li>}
    </ul>
  );
}

async function switchAccount(): Promise<void> {
  const { consumer_key: key } = await sandbox().post("accounts", {});
  await listAccounts();
  goTo({ view: "account", query: { account: key } });
}

/** Leaves a dropped account at once, so that nothing requests it. The list of accounts updates later. */
function leave(key: string): void {
  accounts.value = accounts.value.filter((one) => one !== key);
  goTo({ view: "account", query: { account: "" } });
}
