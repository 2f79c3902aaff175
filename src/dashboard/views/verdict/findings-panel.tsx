import type { JSX } from "preact";
import type { DetectorJson, FindingJson } from "../../../verdict/shapes.ts";
import { quoted } from "../../api/curl.ts";
import { download, accountClient, sandbox } from "../../api/sandbox.ts";
import { attempt, explain } from "../../parts/notices.tsx";
import { Badge, Copyable, Empty, Panel } from "../../parts/parts.tsx";
import { hrefOf, route, setQuery } from "../../route.ts";
import { accountKey, accountNow, account, wallNow } from "../../store.ts";
import { DetectorWords, FindingSections } from "./finding-sections.tsx";
import { SEVERITIES } from "./group-findings.ts";
import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Refresher } from "../../live/refresher.ts";
import { Pills } from "../../parts/controls.tsx";

export function FindingsPanel(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  const reading = useNoticed(consumerKey);
  return (
    <Panel title="Findings" tools={<Reports consumerKey={consumerKey} />}>
      <div class="findings stack">
        {reading.is === "reading" && <p class="quiet">Loading findings…</p>}
        {reading.is === "failed" && <p role="alert">{reading.text}</p>}
        {reading.is === "read" && <Noted noticed={reading.noticed} consumerKey={consumerKey} />}
      </div>
    </Panel>
  );
}

function Noted({
  noticed,
  consumerKey,
}: {
  readonly noticed: FindingsView;
  readonly consumerKey: string;
}): JSX.Element {
  const { severity = "" } = route.value.query;
  const all = [...noticed.findings, ...noticed.unclaimed];
  const isWanted = (finding: { readonly severity: string }): boolean =>
    severity === "" || finding.severity === severity;
  const own = noticed.findings.filter(isWanted);
  return (
    <>
      {all.length > 0 && (
        <Pills
          label="Severity"
          options={[
            { value: "", title: "All", count: all.length },
            ...SEVERITIES.map(({ severity, many }) => ({
              value: severity,
              title: many,
              count: all.filter((finding) => finding.severity === severity).length,
            })),
          ]}
          chosen={severity}
          onChoose={(severity) => setQuery({ severity })}
        />
      )}
      {own.length > 0 ? (
        <FindingSections findings={own} now={accountNow.value} />
      ) : (
        <NothingNoticed consumerKey={consumerKey} severity={severity} />
      )}
      <Unclaimed findings={noticed.unclaimed.filter(isWanted)} />
      <Watched
        detectors={noticed.detectors.filter(isWanted)}
        watched={noticed.watched}
        isOpen={own.length === 0 && severity === ""}
      />
    </>
  );
}

/** Shows findings about requests whose consumer key belongs to no account. Their times are on the wall clock. */
function Unclaimed({ findings }: { readonly findings: FindingsView["unclaimed"] }): JSX.Element | null {
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

/** Shows what to do next if nothing was noticed. */
function NothingNoticed({
  consumerKey,
  severity,
}: {
  readonly consumerKey: string;
  readonly severity: string;
}): JSX.Element {
  const of = SEVERITIES.find((one) => one.severity === severity);
  if (of !== undefined)
    return (
      <Empty title={`No ${of.one} noticed in this account so far`}>
        <a href={hrefOf({ view: "verdict" })}>Show all findings</a>
      </Empty>
    );
  const { consumer_secret: consumerSecret = "" } = account.value?.reading.state?.settings ?? {};
  return (
    <Empty title="Nothing noticed in this account so far">
      <p>
        While your backend calls this sandbox and takes its callbacks, detectors watch from outside. To see what a
        finding looks like, do what no backend should: send an order again because its acknowledgment was lost.
      </p>
      <Copyable text={sendTwice(`${consumerKey}:${consumerSecret}`)} label="the command" />
    </Empty>
  );
}

/** Returns a command that orders twice from the magic number, which accepts the order and then breaks the connection. */
function sendTwice(credentials: string): string {
  const order = quoted('{"phone_number":"254700000602","amount":"50"}');
  return [
    `for try in 1 2; do curl ${quoted(`${location.origin}/api/v2/airtime`)}`,
    `-u ${quoted(credentials)}`,
    "-H 'content-type: application/json'",
    `--data-raw ${order}; done`,
  ].join(" \\\n  ");
}

const FORMATS = [
  { format: "html", title: "HTML", ending: "html" },
  { format: "json", title: "JSON", ending: "json" },
  { format: "junit", title: "JUnit", ending: "xml" },
] as const;

/** Downloads the report on the account. A plain link could not send the admin token. */
function Reports({ consumerKey }: { readonly consumerKey: string }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Download the report">
      <span class="quiet">Report</span>
      {FORMATS.map((one) => (
        <button
          key={one.format}
          type="button"
          class="button small"
          aria-label={`Download the report as ${one.title}`}
          onClick={() =>
            void attempt(() => download(`report?format=${one.format}`, `kredo-report.${one.ending}`, consumerKey))
          }
        >
          {one.title}
        </button>
      ))}
    </div>
  );
}

interface WatchedProps {
  readonly detectors: readonly DetectorJson[];
  /** The ids of the enabled detectors. */
  readonly watched: ReadonlySet<string>;
  readonly isOpen: boolean;
}

function Watched({ detectors, watched, isOpen }: WatchedProps): JSX.Element {
  const watching = detectors.filter(({ id }) => watched.has(id)).length;
  return (
    <details class="card finding-watched" open={isOpen}>
      <summary>
        <h2>Detectors</h2> <span class="quiet number">{watching}</span>
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

function Watch({
  detector,
  isWatching,
}: {
  readonly detector: DetectorJson;
  readonly isWatching: boolean;
}): JSX.Element {
  return (
    <li>
      <details>
        <summary>
          {detector.title}{" "}
          {!isWatching && <Badge tone="warm">not assessed: this detector failed and has stopped</Badge>}
        </summary>
        <DetectorWords detector={detector} />
      </details>
    </li>
  );
}

/** The findings, and the detectors behind them. */
interface FindingsView {
  readonly findings: readonly FindingJson[];
  /** Findings about requests whose consumer key belongs to no account. */
  readonly unclaimed: readonly FindingJson[];
  readonly detectors: readonly DetectorJson[];
  /** The ids of the enabled detectors. */
  readonly watched: ReadonlySet<string>;
}

type Reading =
  | { readonly is: "reading" }
  | { readonly is: "failed"; readonly text: string }
  | { readonly is: "read"; readonly noticed: FindingsView };

/**
 * Reads the findings of an account whenever its journal has grown. The stream reports only new findings, not how often they were seen
 * again.
 */
function useNoticed(consumerKey: string): Reading {
  const [reading, setReading] = useState<Reading>({ is: "reading" });
  useEffect(() => {
    let detectors: Promise<readonly DetectorJson[]> | undefined;
    let isWanted = true;
    const tell = (reading: Reading): void => {
      if (isWanted) setReading(reading);
    };
    const refresher = new Refresher(async () => {
      try {
        detectors ??= listDetectors();
        tell({ is: "read", noticed: { ...(await listFindings(consumerKey)), detectors: await detectors } });
      } catch (error) {
        detectors = undefined;
        tell({ is: "failed", text: explain(error) });
      }
    });
    const stopFollowing = effect(() => {
      void account.value;
      refresher.ask();
    });
    return () => {
      isWanted = false;
      stopFollowing();
      refresher.stop();
    };
  }, [consumerKey]);
  return reading;
}

interface FindingList {
  readonly items: readonly FindingJson[];
  readonly watched: readonly string[];
}

async function listFindings(consumerKey: string): Promise<Omit<FindingsView, "detectors">> {
  const [own, unclaimed] = await Promise.all([
    accountClient(consumerKey).get<FindingList>("findings"),
    sandbox().get<FindingList>("findings"),
  ]);
  return { findings: own.items, unclaimed: unclaimed.items, watched: new Set(own.watched) };
}

async function listDetectors(): Promise<readonly DetectorJson[]> {
  return (await sandbox().get<{ items: readonly DetectorJson[] }>("detectors")).items;
}
