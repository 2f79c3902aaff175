import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { AccountDetail } from "../../control/client/shapes.ts";
import { sandbox } from "../api/sandbox.ts";
import type { Row } from "../live/account-reading.ts";
import { CallbackUrlForm } from "../parts/callback-url-form.tsx";
import { problemOf } from "../parts/notices.tsx";
import { Badge, CopyButton, FirstCommand, Moment } from "../parts/parts.tsx";
import { goTo, hrefOf, route } from "../route.ts";
import { accountKey, account, caller, listAccounts, unclaimed, wallNow } from "../store.ts";
import { counted } from "../format.ts";

/** A checklist for integrators: credentials, a callback URL, a first request. It collapses to one line when everything is done. */
export function SetupStrip(): JSX.Element {
  const { rows, hasUrl, hasRequest } = progress();
  const strangers = strangersNow();
  const isDone = hasUrl && hasRequest;
  // An open request leaves no room for it.
  const begins = isDone || route.value.item !== undefined ? "folded" : "open";
  return (
    <details
      key={begins}
      class="setup card"
      open={begins === "open" && !isFolded()}
      onToggle={({ currentTarget }) => begins === "open" && fold(!currentTarget.open)}
    >
      <summary>
        <h2>Setup</h2> <Step isDone done={location.origin} />
        <Step isDone={hasUrl} done="Callback URL" open="No callback URL: results are not sent" />
        <Step isDone={hasRequest} done="First request" open="Waiting for your first request…" />
        {strangers.length > 0 && <Badge tone="warm">{refusedWords(strangers.length)}</Badge>}
      </summary>
      <div class="setup-steps">
        <Credentials />
        <section aria-labelledby="setup-callbacks">
          <h3 id="setup-callbacks">Results are posted to your callback URL</h3>
          <CallbackUrlForm operations={["airtime", "sms"]} label="Callback URL" />
        </section>
        {!hasRequest && <FirstRequest refused={rows.slice(-MOST_SHOWN)} />}
        {strangers.length > 0 && <Strangers rows={strangers} />}
      </div>
    </details>
  );
}

function progress(): { readonly rows: readonly Row[]; readonly hasUrl: boolean; readonly hasRequest: boolean } {
  const { state, rows = [] } = account.value?.reading ?? {};
  const { airtime, sms } = state?.settings.callbacks.urls ?? {};
  const hasUrl = airtime !== undefined || sms !== undefined;
  return { rows, hasUrl, hasRequest: rows.some(({ request }) => request.statusCode === 200) };
}

/** Remembers that the user collapsed it, for this browser's other tabs too. */
const FOLDED = "kredo-setup-folded";

function isFolded(): boolean {
  return localStorage.getItem(FOLDED) === "yes";
}

function fold(isFolded: boolean): void {
  localStorage.setItem(FOLDED, isFolded ? "yes" : "no");
}

interface StepProps {
  readonly isDone: boolean;
  /** The text once it is done, and until then. */
  readonly done: string;
  readonly open?: string;
}

function Step({ isDone, done, open }: StepProps): JSX.Element {
  return (
    <span class={isDone ? "setup-step done" : "setup-step"}>
      <span aria-hidden="true">{isDone ? "✓" : "○"}</span>{" "}
      <span class="visually-hidden">{isDone ? "Done: " : "To do: "}</span>
      {isDone ? done : open}
    </span>
  );
}

function Credentials(): JSX.Element {
  const { origin, consumerKey, consumerSecret } = caller();
  const environment = [
    `KREDO_BASE_URL=${origin}/api/v2`,
    `KREDO_CONSUMER_KEY=${consumerKey}`,
    `KREDO_CONSUMER_SECRET=${consumerSecret}`,
  ].join("\n");
  return (
    <section aria-labelledby="setup-credentials">
      <h3 id="setup-credentials">Point your backend at this sandbox</h3>
      <dl class="setup-facts">
        <dt>Base URL</dt>
        <dd>
          <code>{origin}/api/v2</code>
        </dd>
        <dt>Key</dt>
        <dd>
          <code>{consumerKey}</code>
        </dd>
        <dt>Secret</dt>
        <dd>
          <code>{consumerSecret}</code>
        </dd>
      </dl>
      <CopyButton text={environment} label=".env with base URL, key and secret">
        Copy .env
      </CopyButton>
    </section>
  );
}

const MOST_SHOWN = 5;

/** Shows the refused requests of this account, with what to fix. */
function FirstRequest({ refused }: { readonly refused: readonly Row[] }): JSX.Element {
  return (
    <section aria-labelledby="setup-first">
      <h3 id="setup-first">Waiting for your first request…</h3>
      {refused.length > 0 ? (
        <ul class="setup-refused" aria-label="Refused so far, newest last">
          {refused.map(({ request }) => (
            <li key={request.requestId}>
              <a href={hrefOf({ view: "requests", item: request.requestId })}>
                {request.statusCode} {request.method} {request.path}
              </a>
              : <bdi>{mendingWords(request)}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        <FirstCommand />
      )}
    </section>
  );
}

/** Returns what to change, as far as the gateway says. */
function mendingWords({ hint, validationErrors, description }: Row["request"]): string {
  const errors = Object.values(validationErrors ?? {})
    .flat()
    .join(" ");
  return hint ?? (errors === "" ? description : errors);
}

/** The number of the last dismissed request. */
const putAside = signal(0);

function strangersNow(): readonly Row[] {
  void unclaimed.value?.revision.value;
  return (unclaimed.value?.reading.rows ?? []).filter(({ request }) => request.number > putAside.value);
}

function refusedWords(count: number): string {
  return `${counted(count, "request")} matched no account`;
}

/** Lists requests that the gateway refused before it could tell their account. */
function Strangers({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  return (
    <section class="setup-strangers" aria-labelledby="setup-strangers">
      <header class="spread">
        <h3 id="setup-strangers">{refusedWords(rows.length)}</h3>
        <button
          type="button"
          class="button small"
          onClick={() => void (putAside.value = rows.at(-1)?.request.number ?? 0)}
        >
          Dismiss
        </button>
      </header>
      <ul class="setup-refused" aria-label="Requests that matched no account, newest first" aria-live="polite">
        {rows
          .slice(-MOST_SHOWN)
          .toReversed()
          .map((row) => (
            <Stranger key={row.request.requestId} row={row} />
          ))}
      </ul>
    </section>
  );
}

function Stranger({ row: { request } }: { readonly row: Row }): JSX.Element {
  const { unknownKey, statusCode, method, path, hint, description, at } = request;
  const isPathWrong = statusCode === 404 || statusCode === 405;
  return (
    <li>
      <Moment at={at} now={wallNow.value} />{" "}
      <code>
        {statusCode} {method} {path}
      </code>
      {isPathWrong && hint !== undefined && (
        <>
          : <bdi>{hint}</bdi>
        </>
      )}
      {unknownKey === undefined ? !isPathWrong && <>: {hint ?? description}</> : <UnknownKey name={unknownKey} />}
    </li>
  );
}

function UnknownKey({ name }: { readonly name: string }): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const open = async (): Promise<void> => {
    problem.value = await problemOf(async () => {
      await sandbox().post<AccountDetail>("accounts", { consumer_key: name });
      await listAccounts();
      goTo({ view: "requests", query: { account: name } });
    });
  };
  return (
    <>
      . No account has the key <strong dir="auto">{name}</strong>: send <code>{accountKey.value}</code>, or{" "}
      <button type="button" class="button small" onClick={() => void open()}>
        open an account with this key
      </button>
      {problem.value !== undefined && <span role="alert"> {problem.value}</span>}
    </>
  );
}
