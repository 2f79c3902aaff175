import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { cents } from "../../../../gateway/domain/kes.ts";
import type { NearMiss } from "../../../../gateway/scenario/effects.ts";
import type { Attempt, LedgerEntryJson, TransactionDetail } from "../../../../control/client/shapes.ts";
import { describeMisleadingAnswer } from "../../../../gateway/account/readings/describe-order.ts";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { moneyOf } from "../../../base/format.ts";
import { withoutOtherRequests, saleOf } from "../../../live/sales.ts";
import type { Row } from "../../../live/sales.ts";
import { CallbackUrlForm } from "../../../parts/callback-url-form.tsx";
import { ActionButton } from "../../../parts/form.tsx";
import { CopyButton, Moment } from "../../../parts/parts.tsx";
import { OPERATION_WORDS, type Tone } from "../../../base/words.ts";
import { hrefOf } from "../../../base/route.ts";
import { accountNow, accountSettingsInForce } from "../../../live/store.ts";
import { ENTRY_WORDS, signed } from "../../account/ledger-words.ts";
import { resendRequests } from "../../../actions/resend.ts";
import { answerWords, lossReason } from "../list/words.ts";
import { Settle } from "./settle.tsx";

interface TimelineProps {
  readonly detail: TransactionDetail;
  /** The row from the page's journal; undefined if it is older than what the page keeps. */
  readonly row: Row | undefined;
}

/** What happened to a transaction, in order, with the money that each event moved. */
export function Timeline({ detail, row }: TimelineProps): JSX.Element {
  const attemptsLeft = [...detail.attempts];
  return (
    <ol class="timeline" aria-label="Timeline">
      <Requested detail={detail} row={row} />
      {detail.timeline
        .filter(({ event }) => event !== "accepted")
        .map((entry, index) => (
          <Step key={index} {...entry}>
            <p dir="auto">
              <bdi>
                <WithMoments text={entry.text} />
              </bdi>
            </p>
            {entry.event === "settled" && (
              <LedgerLines entries={detail.ledger.filter(({ kind }) => !ELSEWHERE.has(kind))} />
            )}
            {entry.event === "reversed" && (
              <LedgerLines entries={detail.ledger.filter(({ kind }) => kind === "refund")} />
            )}
            {/* Both lists have the attempts in the same order. */}
            {entry.event === "attempted" && <Attempted attempt={attemptsLeft.shift()} />}
          </Step>
        ))}
      <Coming detail={detail} />
    </ol>
  );
}

/** Entries that stand at another step than the result. */
const ELSEWHERE: ReadonlySet<LedgerEntryJson["kind"]> = new Set(["hold", "refund"]);

interface StepProps {
  readonly title: string;
  readonly at?: string;
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}

function Step({ title, at, tone = "plain", children }: StepProps): JSX.Element {
  return (
    <li class={`timeline-step ${tone}`}>
      <div class="spread">
        <h3>{title}</h3>
        {at !== undefined && <Moment at={Date.parse(at)} />}
      </div>
      {children}
    </li>
  );
}

function Requested({ detail, row }: TimelineProps): JSX.Element {
  const { accepted_at: at, plan, request_id: requestId, client_waits: waits } = detail;
  const [reading] = row === undefined ? [] : saleOf(withoutOtherRequests(row)).requests;
  const loss = reading && lossReason({ reading });
  const misled = reading && describeMisleadingAnswer(reading);
  const got =
    row && `Your backend got ${answerWords(withoutOtherRequests(row)).text}${loss === undefined ? "" : `: ${loss}`}.`;
  return (
    <Step title="Request" at={at} tone={loss === undefined && misled === undefined ? "plain" : "bad"}>
      <p class="row">
        <code>{requestId}</code>
        <CopyButton text={requestId} label="request_id" />
      </p>
      <p>{waits ? "Your client is still waiting for its answer." : got}</p>
      {misled !== undefined && <p>{capital(misled)}.</p>}
      <FiredRules fired={plan.rules} missed={plan.missed} />
      <LedgerLines entries={detail.ledger.filter(({ kind }) => kind === "hold")} />
    </Step>
  );
}

function LedgerLines({ entries }: { readonly entries: readonly LedgerEntryJson[] }): JSX.Element | null {
  if (entries.length === 0) return null;
  return (
    <ul class="ledger-lines" aria-label="Ledger">
      {entries.map(({ number, kind, amount, available }) => (
        <li key={`${number} ${kind}`}>
          <span>{ENTRY_WORDS[kind].word}</span>
          <span class="number">{signed(cents(Math.round(amount * 100)))}</span>
          <span class="number quiet">{moneyOf(available)} available</span>
        </li>
      ))}
    </ul>
  );
}

/** What else there is to an attempt: when it is repeated, and what the receiver answered. */
function Attempted({ attempt }: { readonly attempt: Attempt | undefined }): JSX.Element | null {
  if (attempt === undefined) return null;
  const { retry_at: retryAt, outcome, traceparent } = attempt;
  const { body = "" } = outcome;
  return (
    <>
      {retryAt !== undefined && (
        <p>
          Tried again at <Moment at={Date.parse(retryAt)} />
        </p>
      )}
      {body.trim() !== "" && (
        <details open={isTrace(body)}>
          <summary>What your receiver answered</summary>
          <pre dir="auto" tabIndex={0}>
            {body}
          </pre>
        </details>
      )}
      {traceparent !== undefined && (
        <p class="row">
          <code>traceparent {traceparent}</code>
          <CopyButton text={traceparent} label="traceparent" />
        </p>
      )}
    </>
  );
}

/** Returns whether a body tells where code failed, in the form of JavaScript, Java, Python or PHP, or a trace to look up. */
function isTrace(body: string): boolean {
  return /^\s*at \S+|Traceback \(most recent|#0 .*\.php|Exception\b|SQLSTATE|traceparent/m.test(body);
}

/** What is still to come, and the callback again. */
function Coming({ detail }: { readonly detail: TransactionDetail }): JSX.Element | null {
  const { state, settles_at: settlesAt, callback, attempts } = detail;
  if (state === "queued")
    return (
      <Step title="Carrier" tone="warm">
        <ComingResult settlesAt={settlesAt} />
        <Settle detail={detail} />
        <MissingUrl operation={detail.operation} />
      </Step>
    );
  if (state === "stuck")
    return (
      <Step title="Carrier" tone="warm">
        <p>A scenario withholds the result.</p>
        <Settle detail={detail} />
      </Step>
    );
  const isComing = callback.state === "pending" || callback.state === "in_flight";
  return (
    <Step title={attempts.length === 0 ? "Callback" : "Callback again"}>
      {(isComing || attempts.length === 0) && (
        <p dir="auto">
          <WithMoments text={callback.explanation} />
        </p>
      )}
      {callback.state === "none" && <MissingUrl operation={detail.operation} />}
      <div>
        <ActionButton
          class="button small"
          busy="Sending…"
          aria-keyshortcuts="r"
          onAct={() => resendRequests([detail.request_id])}
        >
          Resend callback
        </ActionButton>
      </div>
    </Step>
  );
}

/** A text of the sandbox, with its moments in the selected time zone. */
function WithMoments({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/);
  return (
    <>{parts.map((part, index) => (index % 2 === 0 ? part : <Moment key={index} at={Date.parse(part)} isShort />))}</>
  );
}

/** When a pending result comes. What is overdue waits for its carrier. */
function ComingResult({ settlesAt }: { readonly settlesAt: string | null }): JSX.Element {
  if (settlesAt === null) return <p>The result is on its way.</p>;
  const due = Date.parse(settlesAt);
  const moment = <Moment at={due} />;
  if (due + OVERDUE_MS < accountNow.value)
    return <p>The result was due at {moment}. It comes once its carrier is up.</p>;
  return <p>The result is on its way, due at {moment}.</p>;
}

/** A result that settles as planned is known here sooner. */
const OVERDUE_MS = 1_000;

/** Asks for a callback URL if nothing is sent because there is none. */
function MissingUrl({ operation }: Pick<TransactionDetail, "operation">): JSX.Element | null {
  const { urls } = accountSettingsInForce()?.callbacks ?? {};
  // Stays after a URL was saved, with the result of its test.
  const [isMissing] = useState(urls?.[operation] === undefined);
  if (!isMissing) return null;
  return <CallbackUrlForm keys={[operation]} label={`${OPERATION_WORDS[operation]} callback URL`} />;
}

interface FiredRulesProps {
  readonly fired: readonly { readonly scenario: string; readonly rule: string }[];
  readonly missed: NearMiss | undefined;
}

export function FiredRules({ fired, missed }: FiredRulesProps): JSX.Element | null {
  if (fired.length === 0 && missed === undefined) return null;
  return (
    <ul class="stack close" aria-label="Why">
      {fired.map(({ scenario, rule }) => (
        <li key={`${scenario} ${rule}`}>
          Rule <strong dir="auto">{rule}</strong> of <ScenarioLink name={scenario} />
        </li>
      ))}
      {missed !== undefined && (
        <li class="quiet">
          Nearest rule that did not fire: <strong dir="auto">{missed.rule}</strong> of{" "}
          <ScenarioLink name={missed.scenario} />, because <bdi>{missed.difference}</bdi>.
        </li>
      )}
    </ul>
  );
}

function ScenarioLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a href={hrefOf({ view: "failures", query: { text: name } })}>
      <bdi>{name}</bdi>
    </a>
  );
}
