import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Row } from "../../live/account-reading.ts";
import { Badge, type Tone } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { account, wallNow } from "../../store.ts";
import { stateWords } from "../../views/requests/words.ts";
import { explainOutcome, type Head, type Outcome, rowsOf, type Sent } from "./outcome.ts";
import { sent, stopWaiting } from "./send-state.ts";

export function Answer(): JSX.Element {
  const last = sent.value;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow page, the response is below the form.
    if (last !== undefined) section.current?.scrollIntoView({ block: "nearest" });
  }, [last]);
  return (
    <section ref={section} class="card stack answer" aria-labelledby="answer">
      <h2 id="answer">Response</h2>
      {last === undefined ? (
        <p class="quiet">The gateway's response appears here, byte for byte.</p>
      ) : (
        <LastAnswer last={last} />
      )}
    </section>
  );
}

function LastAnswer({ last }: { readonly last: Sent }): JSX.Element {
  const { outcome } = last;
  // Rows change in place, so copies are needed to trigger a redraw.
  const rows = rowsOf(last, account.value?.reading.rows ?? []).map((row) => ({ ...row }));
  const explanation = explainOutcome(outcome, rows);
  return (
    <>
      <div class="row" role="status">
        <Verdict outcome={outcome} />
        {"millis" in outcome && <span class="quiet">after {sayMillis(outcome.millis)}</span>}
        {explanation !== undefined && <p>{explanation}</p>}
      </div>
      {outcome.is === "waiting" && <Waiting since={last.at} />}
      {"body" in outcome && outcome.body !== "" && <pre>{outcome.body}</pre>}
      {"answer" in outcome && outcome.answer !== undefined && <Headers head={outcome.answer} />}
      <InJournal rows={rows} />
    </>
  );
}

function Verdict({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  switch (outcome.is) {
    case "waiting":
      return <Badge>Waiting for the response</Badge>;
    case "given up":
      return <Badge tone="warm">Stopped waiting</Badge>;
    case "broken":
      return <Badge tone="bad">Connection lost</Badge>;
    case "answered":
      return <Badge tone={toneOf(outcome.answer.status)}>{sayStatus(outcome.answer)}</Badge>;
  }
}

function Waiting({ since }: { readonly since: number }): JSX.Element {
  const seconds = Math.max(0, Math.floor((wallNow.value - since) / 1_000));
  return (
    <div class="row">
      <span class="number">{seconds} s</span>
      <button type="button" class="button small" onClick={stopWaiting}>
        Stop waiting
      </button>
    </div>
  );
}

/** Shows the sandbox's own headers and Retry-After at once, the others on request. */
function Headers({ head: { headers } }: { readonly head: Head }): JSX.Element {
  const telling = headers.filter(([name]) => name.startsWith("x-kredo-") || name === "retry-after");
  return (
    <>
      {telling.length > 0 && <HeaderList headers={telling} />}
      <details>
        <summary>All headers</summary>
        <HeaderList headers={headers} />
      </details>
    </>
  );
}

function HeaderList({ headers }: Pick<Head, "headers">): JSX.Element {
  return (
    <dl class="headers">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function toneOf(status: number): Tone {
  if (status < 300) return "good";
  return status < 500 ? "warm" : "bad";
}

/** HTTP/2 has no reason phrase. */
function sayStatus({ status, statusText }: Head): string {
  return statusText === "" ? String(status) : `${status} ${statusText}`;
}

function sayMillis(millis: number): string {
  return millis < 1_000 ? `${Math.round(millis)} ms` : `${(millis / 1_000).toFixed(1)} s`;
}

function InJournal({ rows }: { readonly rows: readonly Row[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <ul class="stack" aria-label="In the journal">
      {rows.map((row) => (
        <JournalRow key={row.request.requestId} row={row} />
      ))}
    </ul>
  );
}

function JournalRow({ row }: { readonly row: Row }): JSX.Element {
  const { text, tone } = stateWords(row);
  const { requestId } = row.request;
  return (
    <li class="row">
      <Badge tone={tone}>{text}</Badge>
      <a href={hrefOf({ view: "requests", item: requestId })}>Transaction</a>
    </li>
  );
}
