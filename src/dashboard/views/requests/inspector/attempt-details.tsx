import type { ComponentChildren, JSX } from "preact";
import type { Attempted } from "../../../../gateway/account/events.ts";
import { isReceived, sentBody } from "../../../../gateway/account/readings/callback.ts";
import { findWrongFields, type WrongField } from "../../../../gateway/account/readings/callback-fields.ts";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { receiverSaid } from "../../../../gateway/account/readings/receiver-said.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import { account, wireForm } from "../../../live/store.ts";
import { Moment } from "../../../parts/parts.tsx";

interface AttemptProps {
  readonly attempt: Attempted;
  readonly transaction: Transaction;
  readonly repair: string | undefined;
}

/** What else there is to a callback: what its receiver said, what was wrong in it, and folded, its body and the whole answer. */
export function AttemptDetails({ attempt, transaction, repair }: AttemptProps): JSX.Element {
  const { outcome, retryAt } = attempt;
  const said = receiverSaid(outcome);
  const answer = "body" in outcome ? outcome.body.trim() : "";
  return (
    <>
      {said !== undefined && (
        <p dir="auto">
          Your receiver said: <strong>{said}</strong>
        </p>
      )}
      {repair !== undefined && <p class="quiet">{capital(repair)}.</p>}
      {retryAt !== undefined && (
        <p>
          Tried again at <Moment at={retryAt} isShort />
        </p>
      )}
      <SentBody attempt={attempt} transaction={transaction} />
      {said !== undefined && said !== answer && (
        <details>
          <summary>Your receiver’s whole answer</summary>
          <pre dir="auto">{answer}</pre>
        </details>
      )}
    </>
  );
}

/** The body of a callback, with what is wrong in it marked where it stands. One with nothing wrong is folded. */
function SentBody({ attempt, transaction }: Omit<AttemptProps, "repair">): JSX.Element {
  const body = sentBody(attempt, transaction, wireForm());
  const wrong = findWrongFields({ headers: attempt.headers, body }, transaction, isGiven);
  return (
    <details open={wrong.length > 0 && isReceived(attempt)}>
      <summary>Its body</summary>
      <pre dir="auto">{markedText(body, wrong)}</pre>
      {wrong.length > 0 && (
        <ul class="warm" aria-label="What is wrong with it">
          {wrong.map(({ field = "", problem, expected }) => (
            <li key={field}>
              {field && <code>{field}</code>} {problem}
              {expected && `; right is ${expected}`}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Undefined if it may be the id of an order that the page no longer keeps. */
function isGiven(requestId: string): boolean | undefined {
  const { reading } = account.value ?? {};
  if (reading?.find(requestId) !== undefined) return true;
  return reading?.older === 0 && reading.evicted === 0 ? false : undefined;
}

/** The text with its wrong places marked. Where it ends too early, nothing stands that could be. */
function markedText(body: string, wrong: readonly WrongField[]): ComponentChildren {
  const places = wrong.flatMap(({ place }) => place ?? []);
  return [
    ...places.flatMap(({ from, to }, index) => [
      body.slice(places[index - 1]?.to ?? 0, from),
      <mark key={from}>{from === to ? "…" : body.slice(from, to)}</mark>,
    ]),
    body.slice(places.at(-1)?.to ?? 0),
  ];
}
