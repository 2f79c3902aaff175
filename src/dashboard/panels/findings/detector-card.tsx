import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { Instant } from "../../../domain/time.ts";
import type { Finding } from "../../../testing/shapes.ts";
import { Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import type { Group } from "./group-findings.ts";
import { DetectorWords } from "./detector-words.tsx";

export interface DetectorCardProps {
  readonly group: Group;
  readonly isKnown: (requestId: string) => boolean;
  /** What the clock shows that the findings' times are of. */
  readonly now: Instant;
}

/** What one detector found, why it matters and how to mend it. */
export function DetectorCard({ group, isKnown, now }: DetectorCardProps): JSX.Element {
  const { detector, findings } = group;
  const heading = useId();
  return (
    <article class={`card finding ${detector.severity}`} aria-labelledby={heading}>
      <header class="spread">
        <h3 id={heading}>{detector.title}</h3>
        <code class="quiet">{detector.id}</code>
      </header>
      <ul class="finding-seen" aria-label={`Seen: ${detector.title}`}>
        {findings.map((finding) => (
          <Seen key={finding.subject} finding={finding} isKnown={isKnown} now={now} />
        ))}
      </ul>
      <DetectorWords detector={detector} />
    </article>
  );
}

interface SeenProps extends Omit<DetectorCardProps, "group"> {
  readonly finding: Finding;
}

function Seen({ finding, isKnown, now }: SeenProps): JSX.Element {
  const { seen, count, first_at, last_at, exchanges } = finding;
  return (
    <li>
      <p dir="auto">{seen}</p>
      <p class="finding-when quiet">
        <span>{count === 1 ? "Once" : `${count.toLocaleString("en")} times`}</span>
        <span>
          {count > 1 && "first "}
          <Moment at={Date.parse(first_at)} now={now} />
        </span>
        {count > 1 && (
          <span>
            last <Moment at={Date.parse(last_at)} now={now} />
          </span>
        )}
      </p>
      {exchanges.length > 0 && (
        <ul class="finding-exchanges" aria-label="Exchanges that prove it">
          {exchanges.map((exchange, index) => (
            <li key={index}>
              <ExchangeLink exchange={exchange} isKnown={isKnown} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface ExchangeLinkProps {
  readonly exchange: Finding["exchanges"][number];
  readonly isKnown: (requestId: string) => boolean;
}

function ExchangeLink({ exchange, isKnown }: ExchangeLinkProps): JSX.Element {
  const { request_id: requestId, transaction } = exchange;
  const what = exchange.kind === "request" ? "request" : `callback, attempt ${exchange.attempt}`;
  const shown = (
    <>
      {what} <code>{requestId.slice(0, 8)}</code>
    </>
  );
  const isThere = transaction !== null || isKnown(requestId);
  if (!isThere) return <span title={`${requestId} can no longer be looked up`}>{shown}</span>;
  return (
    <a href={hrefOf({ panel: "transactions", item: requestId })} title={requestId}>
      {shown}
    </a>
  );
}
