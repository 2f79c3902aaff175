import type { JSX } from "preact";
import type { Instant } from "../../../domain/time.ts";
import type { Finding } from "../../../testing/shapes.ts";
import { book } from "../../store.ts";
import { groupFindings, unledIds } from "./group-findings.ts";
import { DetectorCard } from "./detector-card.tsx";
import { SEVERITIES, type Severity } from "./severities.ts";

export interface FindingSectionsProps {
  readonly findings: readonly Finding[];
  /** What the clock shows that their times are of. */
  readonly now: Instant;
  /** Tells the headings of one list from those of another. */
  readonly place?: string;
}

/** Findings by severity, then by detector. */
export function FindingSections({ findings, now, place = "own" }: FindingSectionsProps): JSX.Element {
  const known = knownIds(unledIds(findings));
  return (
    <>
      {SEVERITIES.map(({ severity, many, means }) => {
        const own = findings.filter((finding) => finding.severity === severity);
        const heading = `findings-${place}-${severity}`;
        return own.length === 0 ? null : (
          <section key={severity} class="stack" aria-labelledby={heading}>
            <SeverityHead heading={heading} title={many} means={means} severity={severity} />
            {groupFindings(own).map((group) => (
              <DetectorCard key={group.detector.id} group={group} isKnown={(requestId) => known.has(requestId)} now={now} />
            ))}
          </section>
        );
      })}
    </>
  );
}

interface SeverityHeadProps {
  readonly heading: string;
  readonly title: string;
  readonly means: string;
  readonly severity: Severity;
}

function SeverityHead({ heading, title, means, severity }: SeverityHeadProps): JSX.Element {
  return (
    <div class={`finding-severity ${severity}`}>
      <h2 id={heading}>{title}</h2>
      <p class="quiet">{means}</p>
    </div>
  );
}

/** Of these requests, those that the page still has a row of. */
function knownIds(ids: ReadonlySet<string>): Set<string> {
  const rows = ids.size === 0 ? [] : (book.peek()?.book.rows ?? []);
  return new Set(rows.flatMap(({ request }) => (ids.has(request.requestId) ? [request.requestId] : [])));
}
