import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { CallbackTest } from "../../../control-client/shapes.ts";
import type { CallbackSettings } from "../../../settings/callbacks.ts";
import type { Operation } from "../../../domain/order.ts";
import { SINK_URL } from "../../../domain/callback-outcome.ts";
import { formatDuration } from "../../../domain/time.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";
import { Badge, Field } from "../../parts/parts.tsx";
import { accountKey, book } from "../../store.ts";

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

const NAMES: Readonly<Record<Operation, string>> = { airtime: "airtime", sms: "SMS" };

function CallbackTestRow({ operation, isRegistered }: { readonly operation: Operation; readonly isRegistered: boolean }): JSX.Element {
  const came = useSignal<CallbackTest | undefined>(undefined);
  const isUnderWay = useSignal(false);
  const test = async (): Promise<void> => {
    isUnderWay.value = true;
    await attempt(async () => {
      came.value = await accountClient(accountKey.value ?? "").post<CallbackTest>("callbacks/test", { operation });
    });
    isUnderWay.value = false;
  };
  return (
    <>
      <span>
        <button type="button" class="button small" disabled={!isRegistered || isUnderWay.value} onClick={() => void test()}>
          {isUnderWay.value ? "Waiting for the answer…" : `Send a sample ${NAMES[operation]} callback`}
        </button>
      </span>
      <div role="status" aria-live="polite">
        {came.value !== undefined && <CameBack came={came.value} />}
      </div>
    </>
  );
}

function CameBack({ came: { outcome, acknowledged, explanation, millis, body } }: { readonly came: CallbackTest }): JSX.Element {
  return (
    <div class="account-came">
      <p class="row">
        <Badge tone={acknowledged ? "good" : "bad"}>{outcome.status ?? outcome.kind.replaceAll("_", " ")}</Badge>
        <span class="quiet number">{Math.round(millis)} ms</span>
      </p>
      <p>
        <bdi>{explanation}</bdi>
      </p>
      <Exchanged title="Sent" text={body} />
      {outcome.body !== undefined && outcome.body !== "" && <Exchanged title="Came back" text={outcome.body} />}
    </div>
  );
}

function Exchanged({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <figure>
      <figcaption class="quiet">{title}</figcaption>
      <pre class="account-exchanged" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
