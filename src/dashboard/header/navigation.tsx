import type { JSX } from "preact";
import { hrefOf, route, VIEWS } from "../route.ts";
import { worstProblems } from "../views/verdict/worst-problems.ts";

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
  const worst = worstProblems.value;
  if (worst === undefined) return null;
  const { severity, count } = worst;
  return (
    <span class={`badge ${severity === "defect" ? "bad" : "warm"}`}>
      {count}{" "}
      <span class="visually-hidden">
        {severity}
        {count > 1 && "s"}
      </span>
    </span>
  );
}
