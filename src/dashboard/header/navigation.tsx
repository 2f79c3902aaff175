import type { JSX } from "preact";
import { hrefOf, route, VIEWS } from "../route.ts";
import { account } from "../store.ts";

export function Navigation(): JSX.Element {
  const { view, unknown } = route.value;
  return (
    <nav class="tabs" aria-label="Views">
      {VIEWS.map(({ name, title, key }) => (
        <a
          key={name}
          href={hrefOf({ view: name })}
          aria-current={name === view && unknown === undefined ? "page" : undefined}
          aria-keyshortcuts={`g ${key}`}
        >
          {title}
          {name === "verdict" && <DefectBadge />}
        </a>
      ))}
    </nav>
  );
}

/** The number of defects, or of risks if there is no defect: the severities that can lose money. */
function DefectBadge(): JSX.Element | null {
  const severities = [...(account.value?.reading.findings.values() ?? [])].map(({ severity }) => severity);
  const worst = severities.includes("defect") ? "defect" : "risk";
  const count = severities.filter((severity) => severity === worst).length;
  if (count === 0) return null;
  return (
    <span class={`badge ${worst === "defect" ? "bad" : "warm"}`}>
      {count}{" "}
      <span class="visually-hidden">
        {worst}
        {count > 1 && "s"}
      </span>
    </span>
  );
}
