import type { JSX } from "preact";
import type { Detector } from "../../../control-client/shapes.ts";
import { Badge } from "../../parts/parts.tsx";
import { DetectorWords } from "./finding-sections.tsx";
import { SEVERITIES } from "./group-findings.ts";

interface WatchedProps {
  readonly detectors: readonly Detector[];
  /** The ids of those that watch. */
  readonly watched: ReadonlySet<string>;
  readonly isOpen: boolean;
}

export function Watched({ detectors, watched, isOpen }: WatchedProps): JSX.Element {
  const watching = detectors.filter(({ id }) => watched.has(id)).length;
  return (
    <details class="card finding-watched" open={isOpen}>
      <summary>
        <h2>What is watched</h2> <span class="quiet">{watching === 1 ? "1 detector" : `${watching} detectors`}</span>
      </summary>
      {SEVERITIES.map(({ severity, many, means }) => {
        const own = detectors.filter((detector) => detector.severity === severity);
        return own.length === 0 ? null : (
          <section key={severity} aria-label={`${many} that are watched for`}>
            <h3>
              {many} <span class="quiet">{means}</span>
            </h3>
            <ul>
              {own.map((detector) => (
                <Watch key={detector.id} detector={detector} isWatching={watched.has(detector.id)} />
              ))}
            </ul>
          </section>
        );
      })}
    </details>
  );
}

function Watch({ detector, isWatching }: { readonly detector: Detector; readonly isWatching: boolean }): JSX.Element {
  return (
    <li>
      <details>
        <summary>
          {detector.title} {!isWatching && <Badge tone="warm">not assessed: this detector failed and has stopped</Badge>}
        </summary>
        <DetectorWords detector={detector} />
      </details>
    </li>
  );
}
