import type { JSX } from "preact";
import type { Finding } from "../../../testing/shapes.ts";
import { hrefOf, route } from "../../route.ts";
import { SEVERITIES } from "./severities.ts";

/** Which severities are shown; the address holds it. */
export function SeverityFilter({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  return (
    <ul class="finding-filter" aria-label="Severity">
      <Choice severity="" title="All" count={findings.length} />
      {SEVERITIES.map(({ severity, many }) => (
        <Choice
          key={severity}
          severity={severity}
          title={many}
          count={findings.filter((finding) => finding.severity === severity).length}
        />
      ))}
    </ul>
  );
}

function Choice({ severity, title, count }: { readonly severity: string; readonly title: string; readonly count: number }): JSX.Element {
  const { severity: chosen = "" } = route.value.query;
  return (
    <li>
      <a
        class="button small"
        href={hrefOf({ panel: "findings", query: { severity } })}
        aria-current={chosen === severity ? "true" : undefined}
      >
        {title} <span class="number quiet">{count}</span>
      </a>
    </li>
  );
}
