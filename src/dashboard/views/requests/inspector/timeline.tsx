import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import { showKes } from "../../../../gateway/domain/kes.ts";
import { isOfKredo } from "../../../../gateway/account/readings/answer.ts";
import { callbackState, explainCallback } from "../../../../gateway/account/readings/callback-status.ts";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { describeMisleadingAnswer } from "../../../../gateway/account/readings/describe-order.ts";
import { readTimeline, type TimelineEntry } from "../../../../gateway/account/readings/timeline.ts";
import { isUnresolved, type Transaction } from "../../../../gateway/account/transaction.ts";
import type { AppliedRules } from "../../../../gateway/scenario/effects/applied-rules.ts";
import { resendRequests } from "../../../actions/resend.ts";
import { hrefOf } from "../../../base/route.ts";
import { OPERATION_WORDS } from "../../../base/words.ts";
import { type Row, saleOf, withoutOtherRequests } from "../../../live/sales.ts";
import { accountNow, accountSettingsInForce, wireForm } from "../../../live/store.ts";
import { CallbackUrlForm } from "../../../parts/callback-url-form.tsx";
import { ActionButton } from "../../../parts/form.tsx";
import { Moment } from "../../../parts/parts.tsx";
import { signed } from "../../account/ledger-words.ts";
import { answerWords, lossReason } from "../list/words.ts";
import { AttemptDetails } from "./attempt-details.tsx";
import { Settle } from "./settle.tsx";

interface TimelineProps {
  readonly row: Row;
  readonly transaction: Transaction;
  readonly isClientWaiting: boolean;
}

/** What happened to an accepted request: a sentence for each event, with its time and the money that it moved. */
export function Timeline(props: TimelineProps): JSX.Element {
  const { transaction } = props;
  const { progress } = transaction;
  const attempts = isUnresolved(progress) ? [] : progress.attempts;
  const entries = readTimeline(transaction, [], { limit: timeLimit(), form: wireForm() });
  return (
    <ol class="timeline" aria-label="Timeline">
      {entries.map((entry, index) => {
        if (entry.event === "accepted") return <Requested key={index} {...props} {...entry} />;
        const attempt = attempts.find((one) => one.attempt === entry.attempt);
        return (
          <Step key={index} {...entry}>
            {attempt && <AttemptDetails attempt={attempt} transaction={transaction} repair={entry.repair} />}
          </Step>
        );
      })}
      {isUnresolved(progress) ? <ComingResult {...props} /> : <Callbacks {...props} />}
    </ol>
  );
}

/** The time limit for a receiver's answer. */
function timeLimit(): number {
  return accountSettingsInForce()?.callbacks.timeout ?? 0;
}

type StepProps = Pick<TimelineEntry, "brief" | "tone"> &
  Partial<Pick<TimelineEntry, "at" | "moved">> & { readonly children?: ComponentChildren };

function Step({ brief: [title, happened], at, tone, moved, children }: StepProps): JSX.Element {
  return (
    <li class="timeline-step">
      <span class={`timeline-dot ${tone}`} />
      <h3 dir="auto">
        <strong>{title}</strong>
        {happened !== "" && <bdi> — {happened}</bdi>}
      </h3>
      <p class="timeline-side">
        {at !== undefined && <Moment at={at} isShort />}
        {moved !== undefined && (
          <span class="number">
            {signed(moved.amount)} {moved.word}
          </span>
        )}
        {moved?.available !== undefined && <span class="number">{showKes(moved.available)} available</span>}
      </p>
      {children}
    </li>
  );
}

function Requested({ row, transaction, isClientWaiting, ...entry }: TimelineProps & TimelineEntry): JSX.Element {
  const { requestId, carrier, ported, rules } = transaction.accepted;
  const one = withoutOtherRequests(row);
  const [reading] = saleOf(one).requests;
  const loss = reading && lossReason({ reading });
  const misled = reading && describeMisleadingAnswer(reading);
  const client = isOfKredo(row.request.event) ? "Kredo" : "your backend";
  const got = `${client} got ${[answerWords(one).text, loss].filter(Boolean).join(": ")}`;
  return (
    <Step
      {...entry}
      brief={["Accepted", isClientWaiting ? `${client} is still waiting for its answer` : got]}
      tone={loss === undefined && misled === undefined ? "plain" : "bad"}
    >
      {misled !== undefined && <p>{capital(misled)}.</p>}
      <p class="quiet">
        <code>{requestId}</code>, {carrierName(carrier)}
        {ported && ", ported"}
      </p>
      <Rules rules={rules} />
    </Step>
  );
}

/** What is still to come of an order that has no result. What is overdue waits for its carrier. */
function ComingResult({ transaction: { accepted, progress } }: Pick<TimelineProps, "transaction">): JSX.Element {
  const due = progress.state === "queued" ? progress.settlesAt : undefined;
  const isOverdue = due !== undefined && due + OVERDUE_MS < accountNow.value;
  return (
    <Step brief={["Carrier", due === undefined ? "a scenario withholds the result" : ""]} tone="warm">
      {due !== undefined && (
        <p>
          {isOverdue ? "The result was due at " : "The result is on its way, due at "}
          <Moment at={due} />.{isOverdue && " It comes once its carrier is up."}
        </p>
      )}
      <Settle accepted={accepted} />
      {due !== undefined && <MissingUrl operation={accepted.order.operation} />}
    </Step>
  );
}

/** A result that settles as planned is known here sooner. */
const OVERDUE_MS = 1_000;

/** What is still to come of the callbacks, and one more. */
function Callbacks({ row, transaction }: Pick<TimelineProps, "row" | "transaction">): JSX.Element {
  const { requestId } = row.request;
  const state = callbackState(transaction, accountNow.value);
  const explained = explainCallback(transaction, accountNow.value, timeLimit());
  const isComing = state === "pending" || state === "in_flight";
  return (
    <Step brief={[isComing ? "Callback due" : state === "none" ? "No callback" : "Callback again", ""]} tone="plain">
      {(isComing || state === "none") && (
        <p dir="auto">
          <WithMoments text={explained} />
        </p>
      )}
      {state === "none" && <MissingUrl operation={transaction.accepted.order.operation} />}
      <div>
        <ActionButton
          class="button small"
          busy="Sending…"
          aria-keyshortcuts="r"
          onAct={() => resendRequests([requestId])}
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

/** Asks for a callback URL if nothing is sent because there is none. */
function MissingUrl({ operation }: { readonly operation: "airtime" | "sms" }): JSX.Element | null {
  const { urls } = accountSettingsInForce()?.callbacks ?? {};
  // Stays after a URL was saved, with the result of its test.
  const [isMissing] = useState(urls?.[operation] === undefined);
  if (!isMissing) return null;
  return <CallbackUrlForm keys={[operation]} label={`${OPERATION_WORDS[operation]} callback URL`} />;
}

/** The rules that fired, and the nearest that did not. */
export function Rules({ rules }: { readonly rules: AppliedRules | undefined }): JSX.Element | null {
  const { fired = [], missed } = rules ?? {};
  if (fired.length === 0 && missed === undefined) return null;
  return (
    <ul class="quiet" aria-label="Why">
      {fired.map(({ scenario, rule }) => (
        <li key={`${scenario} ${rule}`}>
          Rule <bdi>{rule}</bdi> of <ScenarioLink name={scenario} />
        </li>
      ))}
      {missed !== undefined && (
        <li>
          Nearest rule that did not fire: <bdi>{missed.rule}</bdi> of <ScenarioLink name={missed.scenario} />, because{" "}
          <bdi>{missed.difference}</bdi>.
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
