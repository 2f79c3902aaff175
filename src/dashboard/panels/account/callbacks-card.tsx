import type { ComponentChildren, JSX } from "preact";
import type { CallbackSettings } from "../../../settings/callbacks.ts";
import type { Operation } from "../../../domain/order.ts";
import { formatDuration } from "../../../domain/time.ts";
import { CallbackUrlForm } from "../../parts/callback-url-form.tsx";
import { book } from "../../store.ts";

const OPERATIONS = [
  { operation: "airtime", label: "Airtime callback URL" },
  { operation: "sms", label: "SMS callback URL" },
] as const satisfies readonly { readonly operation: Operation; readonly label: string }[];

/** Where results are posted, whether that arrives, and what happens when it does not. */
export function CallbacksCard(): JSX.Element | null {
  const callbacks = book.value?.book.state?.settings.callbacks;
  if (callbacks === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="account-callbacks">
      <h2 id="account-callbacks">Callbacks</h2>
      {OPERATIONS.map(({ operation, label }) => (
        <CallbackUrlForm key={operation} operations={[operation]} label={label} />
      ))}
      <Policy callbacks={callbacks} />
    </section>
  );
}

/** Shown, not changed: the config file or PUT callbacks sets it. */
function Policy({ callbacks: { timeout, retry, concurrency, headers, insecure } }: { readonly callbacks: CallbackSettings }): JSX.Element {
  const names = Object.keys(headers);
  return (
    <dl class="account-facts">
      <Fact name="Timeout">{formatDuration(timeout)}, wall time</Fact>
      <Fact name="Attempts">
        {retry.attempts === 1 ? "1, no retry" : `${retry.attempts}, ${retry.spacing.map(formatDuration).join(", ")} apart`}
      </Fact>
      {retry.attempts > 1 && <Fact name="Retried after">{retry.on.map((cause) => cause.replaceAll("_", " ")).join(", ")}</Fact>}
      <Fact name="Concurrency">at most {concurrency}</Fact>
      {names.length > 0 && <Fact name="Headers">{names.join(", ")}</Fact>}
      {insecure && <Fact name="TLS">any certificate is accepted</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt class="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
