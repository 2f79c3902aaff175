import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { type CallbackSettings, type Operation, SINK_URL } from "../../../domain/settings.ts";
import { formatDuration } from "../../../domain/time.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { Field } from "../../parts/parts.tsx";
import { accountKey, book } from "../../store.ts";
import { CallbackTestRow } from "./callback-test-row.tsx";

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
      {OPERATIONS.map(({ operation, label }) => {
        const saved = callbacks.urls[operation]?.url ?? "";
        return (
          <div key={operation} class="stack account-callback">
            <UrlForm key={saved} operation={operation} label={label} saved={saved} />
            <CallbackTestRow key={`${saved} test`} operation={operation} isRegistered={saved !== ""} />
          </div>
        );
      })}
      <Policy callbacks={callbacks} />
    </section>
  );
}

interface UrlFormProps {
  readonly operation: Operation;
  readonly label: string;
  readonly saved: string;
}

function UrlForm({ operation, label, saved }: UrlFormProps): JSX.Element {
  const written = useSignal(saved);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const url = written.value.trim();
    const done = url === "" ? `No callbacks for ${operation} any more.` : `Callbacks for ${operation} go there from now on.`;
    await attempt(() => accountClient(accountKey.value ?? "").put("callbacks", { [operation]: url === "" ? null : url }), done);
  };
  return (
    <form class="account-line" onSubmit={(event) => void save(event)}>
      <Field label={label} hint={saved === "" ? NO_URL : undefined}>
        <input
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="http://localhost:3000/hooks"
          value={written.value}
          onInput={({ currentTarget }) => void (written.value = currentTarget.value)}
        />
      </Field>
      <button type="submit" class="button" disabled={written.value.trim() === saved} aria-label={`Save ${label}`}>
        Save
      </button>
    </form>
  );
}

const NO_URL = `None yet: nothing is sent. ${SINK_URL} delivers to a receiver inside the sandbox.`;

/** Shown, not changed: the config file or PUT callbacks sets it. */
function Policy({ callbacks: { timeout, retry, concurrency, headers, insecure } }: { readonly callbacks: CallbackSettings }): JSX.Element {
  const names = Object.keys(headers);
  return (
    <dl class="account-facts">
      <Fact name="Answer within">{formatDuration(timeout)}, wall time</Fact>
      <Fact name="Tries">
        {retry.attempts === 1 ? "1, no retry" : `${retry.attempts}, ${retry.spacing.map(formatDuration).join(", ")} apart`}
      </Fact>
      {retry.attempts > 1 && <Fact name="Tried again after">{retry.on.map((cause) => cause.replaceAll("_", " ")).join(", ")}</Fact>}
      <Fact name="At once">at most {concurrency}</Fact>
      {names.length > 0 && <Fact name="Headers">{names.join(", ")}</Fact>}
      {insecure && <Fact name="TLS">any certificate is taken</Fact>}
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
