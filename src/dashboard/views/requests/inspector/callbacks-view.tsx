import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Attempt, TransactionDetail } from "../../../../control/client/shapes.ts";
import { accountClient } from "../../../api/sandbox.ts";
import { CallbackUrlForm } from "../../../parts/callback-url-form.tsx";
import { attempt as tryTo } from "../../../parts/notices.tsx";
import { Badge, Moment } from "../../../parts/parts.tsx";
import { accountKey, account } from "../../../store.ts";
import { Body, HeadTable, prettyJson } from "./wire-views.tsx";

/** Lists the delivery attempts of the callback, latest first, and resends it. */
export function CallbacksView({ detail }: { readonly detail: TransactionDetail }): JSX.Element {
  const { attempts, callback, state } = detail;
  return (
    <div class="stack">
      {callback.explanation !== attempts.at(-1)?.explanation && <p dir="auto">{callback.explanation}</p>}
      {callback.state === "none" && <MissingUrl operation={detail.operation} />}
      {(state === "succeeded" || state === "failed") && <Resend key={detail.request_id} detail={detail} />}
      <ol class="stack" aria-label="Callback attempts, newest first">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.attempt} class="stack-s">
            <AttemptView attempt={attempt} isOpen={attempt === attempts.at(-1)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Asks for a callback URL if nothing was sent because there is none. */
export function MissingUrl({ operation }: Pick<TransactionDetail, "operation">): JSX.Element | null {
  const { urls } = account.value?.reading.state?.settings.callbacks ?? {};
  const [isMissing] = useState(urls?.[operation] === undefined);
  if (!isMissing) return null;
  return (
    <CallbackUrlForm
      operations={[operation]}
      label={operation === "sms" ? "SMS callback URL" : "Airtime callback URL"}
    />
  );
}

function AttemptView({ attempt, isOpen }: { readonly attempt: Attempt; readonly isOpen: boolean }): JSX.Element {
  const { outcome, answered, acknowledged, retry_at: retryAt, scripted } = attempt;
  return (
    <>
      <div class="spread">
        <h3>Callback attempt {attempt.attempt}</h3>
        <Moment at={Date.parse(attempt.at)} />
      </div>
      <p class="row">
        <Badge tone={acknowledged ? "good" : "bad"}>
          {answered === null ? OUTCOMES[outcome.kind] : `Answered ${answered}`}
        </Badge>
        <span class="quiet number">after {attempt.millis.toLocaleString("en")} ms of wall time</span>
        {attempt.possibly_repeated && (
          <Badge tone="warm">possibly repeated: the sandbox stopped during the previous attempt</Badge>
        )}
        {scripted !== undefined && <Badge tone="warm">scripted: {scripted.join(", ") || "as usual"}</Badge>}
      </p>
      <p dir="auto">{attempt.explanation}</p>
      {retryAt !== undefined && (
        <p>
          Tried again at <Moment at={Date.parse(retryAt)} />
        </p>
      )}
      <Sides attempt={attempt} isOpen={isOpen} />
    </>
  );
}

/** Shows the request and the response. */
function Sides({
  attempt: { url, headers, body, outcome },
  isOpen,
}: {
  readonly attempt: Attempt;
  readonly isOpen: boolean;
}): JSX.Element {
  const { status, location, body: answer = "" } = outcome;
  return (
    <>
      <details open={isOpen}>
        <summary>Request sent</summary>
        <HeadTable first={`POST ${url}`} headers={Object.entries(headers)} />
        {body === null ? (
          <p class="quiet">Its body is no longer kept.</p>
        ) : (
          <Body label="callback body" text={body} bytes={lengthOf(body)} />
        )}
      </details>
      {status !== undefined && (
        <details open={isOpen}>
          <summary>Receiver's response</summary>
          <p>
            Status {status}
            {location !== undefined && (
              <>
                , to <code>{location}</code>
              </>
            )}
          </p>
          <Body label="answer's body" text={answer} bytes={lengthOf(answer)} />
        </details>
      )}
    </>
  );
}

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const OUTCOMES: Readonly<Record<Attempt["outcome"]["kind"], string>> = {
  answered: "Answered",
  redirect: "Redirected",
  timed_out: "No answer in time",
  refused: "No connection",
  reset: "Connection closed",
  unresolved_name: "Name not found",
  tls: "No TLS connection",
  blocked: "Not sent",
  abandoned: "Given up",
  broken_off: "Broken off",
};

/** Resends the callback with the same body or an edited one. */
function Resend({ detail: { request_id: requestId, attempts } }: { readonly detail: TransactionDetail }): JSX.Element {
  const isUnderWay = useSignal(false);
  const draft = useSignal<string | undefined>(undefined);
  const resend = async (body?: string): Promise<void> => {
    isUnderWay.value = true;
    const path = `transactions/${encodeURIComponent(requestId)}/resend`;
    const change = body === undefined ? {} : { body };
    const isDone = await tryTo(() => accountClient(accountKey.value ?? "").post(path, change), "Callback resent.");
    if (isDone) draft.value = undefined;
    isUnderWay.value = false;
  };
  const begin = (): void => {
    const last = attempts.at(-1)?.body ?? "";
    draft.value = prettyJson(last) ?? last;
  };
  return (
    <section class="stack-s" aria-label="Send it again">
      <div class="row">
        <button type="button" class="button small primary" disabled={isUnderWay.value} onClick={() => void resend()}>
          Resend callback
        </button>
        <button type="button" class="button small" aria-expanded={draft.value !== undefined} onClick={begin}>
          Edit and resend
        </button>
      </div>
      {draft.value !== undefined && (
        <OtherBody draft={draft} isUnderWay={isUnderWay.value} onSend={(body) => void resend(body)} />
      )}
    </section>
  );
}

interface OtherBodyProps {
  /** The edited text; undefined closes the form. */
  readonly draft: Signal<string | undefined>;
  readonly isUnderWay: boolean;
  readonly onSend: (body: string) => void;
}

function OtherBody({ draft, isUnderWay, onSend }: OtherBodyProps): JSX.Element {
  const { value: text = "" } = draft;
  const submit = (event: Event): void => {
    event.preventDefault();
    onSend(text);
  };
  return (
    <form class="stack-s" onSubmit={submit}>
      <label class="field">
        <span>Body to send instead</span>
        <textarea
          rows={8}
          required
          spellcheck={false}
          class="wire-draft"
          value={text}
          onInput={({ currentTarget }) => void (draft.value = currentTarget.value)}
        />
      </label>
      <p class="quiet">
        {prettyJson(text) === undefined
          ? "This is not valid JSON. It is sent anyway."
          : "The wallet and the transaction do not change."}
      </p>
      <div class="row">
        <button type="submit" class="button small primary" disabled={isUnderWay}>
          Send this body
        </button>
        <button type="button" class="button small" onClick={() => void (draft.value = undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
