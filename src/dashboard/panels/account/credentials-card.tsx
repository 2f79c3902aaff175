import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { CopyButton } from "../../parts/parts.tsx";
import { accountKey, book } from "../../store.ts";

export function CredentialsCard(): JSX.Element {
  const { consumer_secret: consumerSecret = "", any_secret: anySecret = false } = book.value?.book.state?.settings ?? {};
  const key = accountKey.value ?? "";
  return (
    <section class="card stack" aria-labelledby="account-credentials">
      <h2 id="account-credentials">Credentials</h2>
      <dl class="account-facts">
        <Fact name="Base URL" text={location.origin}>
          <code>{location.origin}</code>
        </Fact>
        <Fact name="Consumer key" text={key}>
          <code>{key}</code>
        </Fact>
        <Secret key={key} secret={consumerSecret} />
      </dl>
      {anySecret && <p class="quiet">Any secret opens this account: it was made for the first request that carried its key.</p>}
    </section>
  );
}

function Fact({
  name,
  text,
  children,
}: {
  readonly name: string;
  readonly text: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt class="quiet">{name}</dt>
      <dd>
        {children}
        <CopyButton text={text} label={name.toLowerCase()} />
      </dd>
    </div>
  );
}

function Secret({ secret }: { readonly secret: string }): JSX.Element {
  const isShown = useSignal(false);
  return (
    <Fact name="Consumer secret" text={secret}>
      <code>{isShown.value ? secret : "•".repeat(12)}</code>
      <button
        type="button"
        class="button small"
        aria-pressed={isShown.value}
        aria-label="Show consumer secret"
        onClick={() => void (isShown.value = !isShown.value)}
      >
        {isShown.value ? "Hide" : "Show"}
      </button>
    </Fact>
  );
}
