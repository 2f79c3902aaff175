import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { accountKey, accountNow, wallNow } from "../../store.ts";
import { FindingSections } from "./finding-sections.tsx";
import { NothingNoticed } from "./nothing-noticed.tsx";
import { Reports } from "./reports.tsx";
import { SeverityFilter } from "./severity-filter.tsx";
import { type Noticed, useNoticed } from "./use-noticed.ts";
import { Watched } from "./watched.tsx";

/** What the sandbox noticed in the behaviour of client and receiver. */
export function FindingsPanel(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  const reading = useNoticed(consumerKey);
  return (
    <Panel title="Findings" tools={<Reports consumerKey={consumerKey} />}>
      <div class="findings stack">
        {reading.is === "reading" && <p class="quiet">Reading what was noticed…</p>}
        {reading.is === "failed" && <p role="alert">{reading.text}</p>}
        {reading.is === "read" && <Noted noticed={reading.noticed} consumerKey={consumerKey} />}
      </div>
    </Panel>
  );
}

function Noted({ noticed, consumerKey }: { readonly noticed: Noticed; readonly consumerKey: string }): JSX.Element {
  const { severity = "" } = route.value.query;
  const all = [...noticed.findings, ...noticed.unclaimed];
  const isWanted = (finding: { readonly severity: string }): boolean => severity === "" || finding.severity === severity;
  const own = noticed.findings.filter(isWanted);
  return (
    <>
      {all.length > 0 && <SeverityFilter findings={all} />}
      {own.length > 0 ? (
        <FindingSections findings={own} now={accountNow.value} />
      ) : (
        <NothingNoticed consumerKey={consumerKey} severity={severity} />
      )}
      <Unclaimed findings={noticed.unclaimed.filter(isWanted)} />
      <Watched detectors={noticed.detectors.filter(isWanted)} watched={noticed.watched} isOpen={own.length === 0 && severity === ""} />
    </>
  );
}

/** They are everybody's: their consumer key belongs to no account, whose clock would be another one. */
function Unclaimed({ findings }: { readonly findings: Noticed["unclaimed"] }): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="findings-unclaimed">
      <div>
        <h2 id="findings-unclaimed">Requests that belong to no account</h2>
        <p class="quiet">Their consumer key is unknown to this sandbox.</p>
      </div>
      <FindingSections findings={findings} now={wallNow.value} place="unclaimed" />
    </section>
  );
}
