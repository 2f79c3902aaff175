import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isPublished, REPOSITORY, VERSION } from "../../version.ts";
import { hrefOf, PANELS, route } from "../route.ts";
import { account } from "../store.ts";
import { Preferences } from "./preferences.tsx";

const DOCS = `https://github.com/${REPOSITORY}/blob/v${VERSION}/docs/control-api.md`;

export function Navigation(): JSX.Element {
  const { panel, unknown } = route.value;
  const nav = useRef<HTMLElement>(null);
  const noticed = account.value?.reading.findings.size;
  // On a narrow page the navigation scrolls sideways, so the current panel may be out of view.
  useEffect(
    () => nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [panel, noticed],
  );
  return (
    <nav ref={nav} class="nav" aria-label="Panels">
      <ul>
        {PANELS.map(({ name, title, key }) => (
          <li key={name}>
            <a
              href={hrefOf({ panel: name })}
              aria-current={name === panel && unknown === undefined ? "page" : undefined}
              aria-keyshortcuts={`g ${key}`}
            >
              {title}
              {name === "transactions" && <Undelivered />}
              {name === "findings" && <Noticed />}
            </a>
          </li>
        ))}
        {isPublished(REPOSITORY) && (
          <li>
            <a href={DOCS} target="_blank" rel="noreferrer">
              Docs
            </a>
          </li>
        )}
      </ul>
      <Preferences />
    </nav>
  );
}

function Undelivered(): JSX.Element | null {
  const count = account.value?.reading.undelivered.size ?? 0;
  if (count === 0) return null;
  return (
    <span class="badge bad">
      {count.toLocaleString("en")} <span class="visually-hidden">undelivered</span>
    </span>
  );
}

/** Shows the numbers of defects and risks, the severities that can lose money. */
function Noticed(): JSX.Element {
  return (
    <span class="nav-badges">
      <Count severity="defect" tone="bad" />
      <Count severity="risk" tone="warm" />
    </span>
  );
}

function Count({
  severity,
  tone,
}: {
  readonly severity: "defect" | "risk";
  readonly tone: "bad" | "warm";
}): JSX.Element | null {
  const count = [...(account.value?.reading.findings.values() ?? [])].filter(
    (finding) => finding.severity === severity,
  ).length;
  if (count === 0) return null;
  return (
    <span class={`badge ${tone}`} title={`${count} ${severity}${count === 1 ? "" : "s"}`}>
      {count}{" "}
      <span class="visually-hidden">
        {severity}
        {count > 1 && "s"}
      </span>
    </span>
  );
}
