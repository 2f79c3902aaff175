import type { JSX } from "preact";
import type { Instant } from "../../../domain/time.ts";
import type { Finding } from "../../../testing/shapes.ts";
import { book } from "../../store.ts";
import { groupFindings, unledIds } from "./group-findings.ts";
import { DetectorCard } from "./detector-card.tsx";
import { SEVERITIES } from "./severities.ts";

export interface FindingSectionsProps {
  readonly findings: readonly Finding[];
  /** What the clock shows that their times are of. */
  readonly now: Instant;
  /** Tells the sections of one list from those of another. */
  readonly place?: "own" | "unclaimed";
}

/** Findings by severity, then by detector. */
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
              <DetectorCard key={group.detector.id} group={group} isKnown={(requestId) => known.has(requestId)} now={now} />
            ))}
          </section>
        );
      })}
    </>
  );
}

/** Of these requests, those that the page still has a row of. */
function knownIds(ids: ReadonlySet<string>): Set<string> {
  const rows = ids.size === 0 ? [] : (book.peek()?.book.rows ?? []);
  return new Set(rows.flatMap(({ request }) => (ids.has(request.requestId) ? [request.requestId] : [])));
}
