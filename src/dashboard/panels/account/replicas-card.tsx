import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Replicas } from "../../../control-client/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { accountKey, unclaimed } from "../../store.ts";

/** Which replica owns what, where several share the sandbox; nothing where it is one process. */
export function ReplicasCard(): JSX.Element | null {
  const known = useSignal<Replicas | undefined>(undefined);
  const changes = unclaimed.value?.accountsChanged.value;
  useEffect(() => {
    sandbox()
      .get<Replicas>("replicas")
      .then((replicas) => (known.value = replicas))
      // The page says by itself that the sandbox does not answer.
      .catch(() => {});
  }, [changes]);
  const { items, waiting } = known.value ?? { items: [], waiting: [] };
  if (items.length === 0) return null;
  return (
    <section class="card stack" aria-labelledby="account-replicas">
      <h2 id="account-replicas">Replicas</h2>
      <p class="quiet">Each account belongs to one of them, and any of them takes its requests.</p>
      <ul class="stack">
        {items.map(({ id, url, is_self: isSelf, accounts }) => (
          <li key={id}>
            <code>{url}</code> <span class="quiet">{counted(accounts)}</span>
            {isSelf && <span class="quiet"> · answers this page</span>}
            {accounts.includes(accountKey.value ?? "") && <strong> · owns this account</strong>}
          </li>
        ))}
        {waiting.map(({ account, reason }) => (
          <li key={account}>
            <code>{account}</code> waits: {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The journal of requests that belong to no account is not one. */
function counted(owned: readonly string[]): string {
  const count = owned.filter((account) => !account.startsWith(":")).length;
  return `${count} ${count === 1 ? "account" : "accounts"}`;
}
