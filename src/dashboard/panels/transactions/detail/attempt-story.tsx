import type { JSX } from "preact";
import type { Attempt } from "../../../../control-client/shapes.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";

export function AttemptStory({ attempt, isLast }: { readonly attempt: Attempt; readonly isLast: boolean }): JSX.Element {
  const {
    explanation,
    answered,
    outcome,
    millis,
    retry_at: retryAt,
    acknowledged,
    scripted,
    possibly_repeated: possiblyRepeated,
  } = attempt;
  return (
    <>
      <p class="row">
        <Badge tone={acknowledged ? "good" : "bad"}>{answered === null ? OUTCOMES[outcome.kind] : `Answered ${answered}`}</Badge>
        <span class="quiet number">after {millis.toLocaleString("en")} ms of wall time</span>
        {possiblyRepeated && <Badge tone="warm">possibly repeated: the sandbox was stopped in the middle of the one before</Badge>}
        {scripted !== undefined && <Badge tone="warm">scripted: {scripted.join(", ") || "as usual"}</Badge>}
      </p>
      <p dir="auto">{explanation}</p>
      {retryAt !== undefined && (
        <p>
          Tried again at <Moment at={Date.parse(retryAt)} />
        </p>
      )}
      <details open={isLast}>
        <summary>What was sent</summary>
        <Sent attempt={attempt} />
      </details>
      {outcome.status !== undefined && (
        <details open={isLast}>
          <summary>What the receiver answered</summary>
          <Answer outcome={outcome} />
        </details>
      )}
    </>
  );
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

function Sent({ attempt: { url, headers, body } }: { readonly attempt: Attempt }): JSX.Element {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <pre dir="auto">{[`POST ${url}`, ...lines].join("\n")}</pre>
      {body === null ? <p class="quiet">Its body is not known any more.</p> : <pre dir="auto">{body}</pre>}
    </>
  );
}

function Answer({ outcome: { status, location, body } }: Pick<Attempt, "outcome">): JSX.Element {
  return (
    <>
      <p>
        Status {status}
        {location !== undefined && (
          <>
            , to <code>{location}</code>
          </>
        )}
      </p>
      {body === undefined || body === "" ? <p class="quiet">No body.</p> : <pre dir="auto">{body}</pre>}
    </>
  );
}
