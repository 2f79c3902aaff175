import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { book } from "../../store.ts";
import { ActiveView } from "./active-view.tsx";
import { ShippedView } from "./shipped-view.tsx";
import { WriteView } from "./write-view.tsx";

/** What the panel shows, by what the address names. */
const VIEWS = [
  { item: undefined, title: "Active", shows: ActiveView },
  { item: "shipped", title: "Shipped", shows: ShippedView },
  { item: "write", title: "Write", shows: WriteView },
] as const;

export function ScenariosPanel(): JSX.Element {
  const { item } = route.value;
  const view = VIEWS.find((view) => view.item === item) ?? VIEWS[0];
  const active = book.value?.book.state?.scenarios.length ?? 0;
  return (
    <Panel title="Scenarios">
      <div class="scenarios">
        <ul class="scenario-views" aria-label="Scenarios">
          {VIEWS.map(({ item, title }) => (
            <li key={title}>
              <a
                href={hrefOf({ panel: "scenarios", ...(item !== undefined && { item }) })}
                aria-current={view.item === item ? "page" : undefined}
              >
                {title} {item === undefined && <span class="badge">{active}</span>}
              </a>
            </li>
          ))}
        </ul>
        <view.shows />
      </div>
    </Panel>
  );
}
