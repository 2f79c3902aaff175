import type { JSX } from "preact";
import { hrefOf, PANELS, route } from "../route.ts";

export function Navigation(): JSX.Element {
  const { panel } = route.value;
  return (
    <nav class="nav" aria-label="Panels">
      <ul>
        {PANELS.map(({ name, title, key }) => (
          <li key={name}>
            <a href={hrefOf({ panel: name })} aria-current={name === panel ? "page" : undefined} aria-keyshortcuts={`g ${key}`}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
