import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { Operation } from "../../../gateway/domain/order.ts";
import { formatDuration } from "../../../gateway/domain/time.ts";
import type { RateLimit } from "../../../gateway/settings/account.ts";
import type { CallbackSettings } from "../../../gateway/settings/callbacks.ts";
import { sandbox } from "../../api/sandbox.ts";
import { CallbackUrlForm } from "../../parts/callback-url-form.tsx";
import { loadedLater } from "../../parts/loaded-later.tsx";
import { attemptAt } from "../../parts/notices.tsx";
import { CopyButton, Panel } from "../../parts/parts.tsx";
import { accountKey, account } from "../../store.ts";
import { AccountsCard, ReplicasCard } from "./accounts-card.tsx";
import { JournalCard } from "./journal-card.tsx";
import { SenderIdsCard } from "./sender-ids-card.tsx";
import { TextField } from "../../parts/form.tsx";

/** Loaded later, because the rest of the panel can be drawn without the programs. */
const SnippetsCard = loadedLater(async () => (await import("./snippets-card.tsx")).SnippetsCard);

export function AccountPanel(): JSX.Element {
  return (
    <Panel title="Account">
      <div class="account" key={accountKey.value}>
        <div class="stack">
          <CredentialsCard />
          <CallbacksCard />
          <SenderIdsCard />
        </div>
        <div class="stack">
          <SnippetsCard />
          <AccountsCard />
          <ReplicasCard />
          <RateLimitCard />
          <JournalCard />
        </div>
      </div>
    </Panel>
  );
}

function CredentialsCard(): JSX.Element {
  const { consumer_secret: consumerSecret = "", any_secret: anySecret = false } =
    account.value?.reading.state?.settings ?? {};
  const key = accountKey.value ?? "";
  return (
    <section class="card stack" aria-labelledby="account-credentials">
      <h2 id="account-credentials">Credentials</h2>
      <dl class="account-facts">
        <CopiedFact name="Base URL" text={`${location.origin}/api/v2`}>
          <code>{location.origin}/api/v2</code>
        </CopiedFact>
        <CopiedFact name="Consumer key" text={key}>
          <code>{key}</code>
        </CopiedFact>
        <Secret key={key} secret={consumerSecret} />
      </dl>
      {anySecret && (
        <p class="quiet">Any secret works for this account, because the first request with its key created it.</p>
      )}
    </section>
  );
}

function CopiedFact({
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
    <CopiedFact name="Consumer secret" text={secret}>
      <code>{isShown.value ? secret : "•".repeat(8)}</code>
      <button
        type="button"
        class="button small"
        aria-pressed={isShown.value}
        aria-label="Show consumer secret"
        onClick={() => void (isShown.value = !isShown.value)}
      >
        {isShown.value ? "Hide" : "Show"}
      </button>
    </CopiedFact>
  );
}

const OPERATIONS = [
  { operation: "airtime", label: "Airtime callback URL" },
  { operation: "sms", label: "SMS callback URL" },
] as const satisfies readonly { readonly operation: Operation; readonly label: string }[];

/** Shows where results are posted, whether they arrive, and what happens if they do not. */
function CallbacksCard(): JSX.Element | null {
  const callbacks = account.value?.reading.state?.settings.callbacks;
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

/** Shows the delivery policy, which is set in the config file or with PUT callbacks. */
function Policy({
  callbacks: { timeout, retry, concurrency, headers, insecure },
}: {
  readonly callbacks: CallbackSettings;
}): JSX.Element {
  const names = Object.keys(headers);
  return (
    <dl class="account-facts">
      <Fact name="Timeout">{formatDuration(timeout)}, wall time</Fact>
      <Fact name="Attempts">
        {retry.attempts === 1
          ? "1, no retry"
          : `${retry.attempts}, ${retry.spacing.map(formatDuration).join(", ")} apart`}
      </Fact>
      {retry.attempts > 1 && (
        <Fact name="Retried after">{retry.on.map((cause) => cause.replaceAll("_", " ")).join(", ")}</Fact>
      )}
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

/** Shows how many requests are accepted in a period; the rest get 429. The form resets when the limit has changed. */
function RateLimitCard(): JSX.Element {
  const limit = account.value?.reading.state?.settings.rate_limit;
  const saved = limit === undefined ? "none" : `${limit.requests} per ${formatDuration(limit.per)}`;
  return (
    <section class="card stack" aria-labelledby="account-rate-limit">
      <h2 id="account-rate-limit">Rate limit</h2>
      <p class="quiet">
        {limit === undefined
          ? "None. Every request is accepted."
          : `${saved.replace(" per ", " requests in ")} of the account's clock; the rest get 429.`}
      </p>
      <LimitForm key={saved} limit={limit} />
    </section>
  );
}

function LimitForm({ limit }: { readonly limit: RateLimit | undefined }): JSX.Element {
  const requests = useSignal(String(limit?.requests ?? 10));
  const per = useSignal(limit === undefined ? "1s" : formatDuration(limit.per));
  const problem = useSignal<string | undefined>(undefined);
  const change = (rate_limit: RateLimitChange, done: string): Promise<boolean> =>
    attemptAt(
      problem,
      () => sandbox().patch(`accounts/${encodeURIComponent(accountKey.value ?? "")}`, { rate_limit }),
      done,
    );
  const save = (event: Event): void => {
    event.preventDefault();
    void change({ requests: Number(requests.value), per: per.value.trim() }, "Rate limit set.");
  };
  return (
    <form class="field-line" onSubmit={save}>
      <TextField
        label="Requests"
        type="number"
        min="1"
        required
        value={requests.value}
        onWrite={(text) => void (requests.value = text)}
      />
      <TextField
        label="In"
        problem={problem.value}
        required
        placeholder="1s"
        value={per.value}
        onWrite={(text) => void (per.value = text)}
      />
      <button type="submit" class="button">
        Limit
      </button>
      {limit !== undefined && (
        <button type="button" class="button" onClick={() => void change(null, "Every request is accepted.")}>
          Lift it
        </button>
      )}
    </form>
  );
}

/** null removes the limit. */
type RateLimitChange = { readonly requests: number; readonly per: string } | null;
