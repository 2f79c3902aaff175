import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { DetectorJson, FindingJson } from "../../../verdict/shapes.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import { Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { account } from "../../store.ts";
import { type Group, groupFindings, SEVERITIES, unledIds } from "./group-findings.ts";

interface FindingSectionsProps {
  readonly findings: readonly FindingJson[];
  /** The current time on the clock that the findings use. */
  readonly now: Instant;
  /** Distinguishes the sections of the two lists. */
  readonly place?: "own" | "unclaimed";
}

export function FindingSections({ findings, now, place = "own" }: FindingSectionsProps): JSX.Element {
  const known = knownIds(unledIds(findings));
  return (
    <>
      {SEVERITIES.map(({ severity, many, means }) => {
        const own = findings.filter((finding) => finding.severity === severity);
        return own.length === 0 ? null : (
          <section key={severity} class="stack" aria-label={place === "own" ? many : `${many} of no account`}>
            <div class={`finding-severity ${severity}`}>
              <h2>{many}</h2>
              <p class="quiet">{means}</p>
            </div>
            {groupFindings(own).map((group) => (
              <DetectorCard
                key={group.detector.id}
                group={group}
                isKnown={(requestId) => known.has(requestId)}
                now={now}
              />
            ))}
          </section>
        );
      })}
    </>
  );
}

/** Returns the ids of those requests that the page still has a row for. */
function knownIds(ids: ReadonlySet<string>): Set<string> {
  const rows = ids.size === 0 ? [] : (account.peek()?.reading.rows ?? []);
  return new Set(rows.flatMap(({ request }) => (ids.has(request.requestId) ? [request.requestId] : [])));
}

interface DetectorCardProps {
  readonly group: Group;
  readonly isKnown: (requestId: string) => boolean;
  /** The current time on the clock that the findings use. */
  readonly now: Instant;
}

function DetectorCard({ group, isKnown, now }: DetectorCardProps): JSX.Element {
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
  readonly finding: FindingJson;
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
  readonly exchange: FindingJson["exchanges"][number];
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
    <a href={hrefOf({ view: "requests", item: requestId })} title={requestId}>
      {shown}
    </a>
  );
}

export function DetectorWords({
  detector: { why, repair, assumes },
}: {
  readonly detector: DetectorJson;
}): JSX.Element {
  return (
    <dl class="finding-words">
      <div>
        <dt>Why it matters</dt>
        <dd>{why}</dd>
      </div>
      <div>
        <dt>How to fix it</dt>
        <dd>{repair}</dd>
      </div>
      <div>
        <dt>What it assumes</dt>
        <dd>{assumes}</dd>
      </div>
    </dl>
  );
}
