import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { formatDuration } from "../../../gateway/domain/time.ts";
import { CallbackUrlForm } from "../../parts/callback-url-form.tsx";
import { AskingButton } from "../../parts/form.tsx";
import { Facts } from "../../parts/lists.tsx";
import { BaseUrl, CopyButton, View } from "../../parts/parts.tsx";
import { OPERATION_WORDS } from "../../base/words.ts";
import { PRODUCTS } from "../../../gateway/domain/order.ts";
import { accountSettingsInForce, caller, shownClient } from "../../live/store.ts";
import { Accounts } from "./accounts.tsx";
import { Journal } from "./journal.tsx";
import { SenderIds } from "./sender-ids.tsx";
import { WalletPanel } from "./wallet.tsx";
import { counted } from "../../../gateway/domain/counted.ts";

/** The account: where its callbacks go, its money, its sender IDs, the other accounts, and its journal. */
export function AccountView(): JSX.Element {
  const { consumerKey } = caller();
  return (
    <View title="Account">
      <div class="account stack" key={consumerKey}>
        <div class="stack">
          <Callbacks />
          <Credentials />
        </div>
        <WalletPanel />
        <div class="stack">
          <SenderIds />
          <Accounts />
          <Journal />
        </div>
      </div>
    </View>
  );
}

/** Shows where results are posted, whether they arrive, and what happens if they do not. */
function Callbacks(): JSX.Element | null {
  const settings = accountSettingsInForce();
  if (settings === undefined) return null;
  const { timeout, retry, concurrency, headers, insecure } = settings.callbacks;
  const names = Object.keys(headers);
  const spacing = retry.spacing.map(formatDuration).join(", ");
  return (
    <section class="card stack" aria-labelledby="account-callbacks">
      <h2 id="account-callbacks">Callbacks</h2>
      {PRODUCTS.map((product) => (
        <CallbackUrlForm key={product} keys={[product]} label={`${OPERATION_WORDS[product]} callback URL`} />
      ))}
      <CallbackUrlForm keys={["copy"]} label="Copy of every callback to" />
      <Facts
        of={[
          ["Timeout", `${formatDuration(timeout)}, wall time`],
          ["Attempts", retry.attempts === 1 ? "1, no retry" : `${retry.attempts}, ${spacing} apart`],
          ["Retried after", retry.attempts === 1 ? undefined : retry.on.join(", ").replaceAll("_", " ")],
          ["Concurrency", `at most ${concurrency}`],
          ["Headers", names.length === 0 ? undefined : names.join(", ")],
          ["TLS", insecure ? "any certificate is accepted" : undefined],
        ]}
      />
    </section>
  );
}

function Credentials(): JSX.Element {
  const { any_secret: anySecret = false, rate_limit: limit } = accountSettingsInForce() ?? {};
  const { origin, consumerKey, consumerSecret } = caller();
  const isShown = useSignal(false);
  return (
    <section class="card stack" aria-labelledby="account-credentials">
      <h2 id="account-credentials">Credentials</h2>
      <Facts
        of={[
          ["Base URL", <Copied key="" name="base URL" text={`${origin}/api/v2`} shown={<BaseUrl />} />],
          ["Consumer key", <Copied key="" name="consumer key" text={consumerKey} />],
          [
            "Consumer secret",
            <span key="" class="row">
              <Copied name="consumer secret" text={consumerSecret} shown={isShown.value ? undefined : "••••••••"} />
              <button
                type="button"
                class="button small"
                aria-pressed={isShown.value}
                aria-label="Show consumer secret"
                onClick={() => void (isShown.value = !isShown.value)}
              >
                {isShown.value ? "Hide" : "Show"}
              </button>
              <AskingButton
                label="Rotate…"
                title="Rotate the consumer secret?"
                goAhead="Rotate"
                onGoAhead={async () => {
                  await shownClient().put("credentials", {});
                  isShown.value = true;
                  return "The new secret works; the former one gets 401.";
                }}
              >
                <p>A new secret takes its place. From then on, clients with the former one get 401.</p>
              </AskingButton>
            </span>,
          ],
          [
            "Rate limit",
            limit && `${counted(limit.requests, "request")} in ${formatDuration(limit.per)}; the rest get 429`,
          ],
        ]}
      />
      {anySecret && (
        <p class="quiet">Any secret works for this account, because the first request with its key created it.</p>
      )}
    </section>
  );
}

/** A text with its button, and in place of the text what is shown. */
function Copied({ name, text, shown = text }: { name: string; text: string; shown?: ComponentChildren }): JSX.Element {
  return (
    <span class="row">
      <code>{shown}</code> <CopyButton text={text} label={name} />
    </span>
  );
}
