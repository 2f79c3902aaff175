import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hrefOf, PANELS, route } from "../route.ts";
import { book } from "../store.ts";

export function Navigation(): JSX.Element {
  const { panel } = route.value;
  const nav = useRef<HTMLElement>(null);
  const noticed = book.value?.book.findings.size;
  // On a narrow page it scrolls sideways, and the panel that is shown may be named beyond the edge.
  useEffect(
    () => nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [panel, noticed],
  );
  return (
    <nav ref={nav} class="nav" aria-label="Panels">
      <ul>
        {PANELS.map(({ name, title, key }) => (
          <li key={name}>
            <a href={hrefOf({ panel: name })} aria-current={name === panel ? "page" : undefined} aria-keyshortcuts={`g ${key}`}>
              {title}
              {name === "callbacks" && <Undelivered />}
              {name === "findings" && <Defects />}
            </a>
          </li>
        ))}
        <li>
          <a href="/docs" target="_blank">
            Reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Undelivered(): JSX.Element | null {
  const count = book.value?.book.undelivered.size ?? 0;
  if (count === 0) return null;
  return (
    <span class="badge bad">
      {count.toLocaleString("en")} <span class="visually-hidden">undelivered</span>
    </span>
  );
}

function Defects(): JSX.Element | null {
  const findings = [...(book.value?.book.findings.values() ?? [])];
  const count = findings.filter(({ severity }) => severity === "defect").length;
  if (count === 0) return null;
  return (
    <span class="badge bad">
      {count} <span class="visually-hidden">{count === 1 ? "defect" : "defects"}</span>
    </span>
  );
}
