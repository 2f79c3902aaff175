import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ReportJson, TrialReport } from "../../../verdict/endpoints/shapes.ts";
import { timeOfDay } from "../../base/format.ts";
import { Docked } from "../../parts/docked.tsx";
import { Badge, Copyable } from "../../parts/parts.tsx";
import { currentRoute, goTo, hrefOf } from "../../base/route.ts";
import { useExchange } from "../requests/inspector/use-detail.ts";
import { ExchangeView } from "../requests/inspector/http-view.tsx";
import { BackendAndCustomer } from "../requests/list/backend-and-customer.tsx";
import { VERDICTS } from "../../live/backend-problems.ts";

/** The address of a trial, and of the exchange in it that is open, by its place. It keeps which severity is listed. */
export function hrefOfTrial(item: string, exchange = ""): string {
  const { severity = "" } = currentRoute.value.query;
  return hrefOf({ view: "verdict", item, query: { severity, exchange } });
}

/** Shows what happened in one trial, beside the problem or the matrix from which it was opened. */
export function OpenedTrial({ id, report }: { readonly id: string; readonly report: ReportJson }): JSX.Element {
  const trial = report.trials.find((one) => one.id === id);
  const { severity = "", exchange = "" } = currentRoute.value.query;
  return (
    <Docked
      title={trial === undefined ? `The latest report has no trial ${id}` : trialTitle(trial)}
      onClose={() => goTo({ view: "verdict", query: { severity } })}
    >
      <div class="inspector-view stack" tabIndex={0} role="region" aria-label="Trial">
        {trial !== undefined && (
          <TrialDetail key={`${id} ${exchange}`} trial={trial} replay={replayOf(trial, report)} />
        )}
      </div>
    </Docked>
  );
}

export function trialTitle({ operation, faults }: TrialReport): string {
  return operation === undefined ? faults : `${operation}: ${faults}`;
}

/** Returns the command that plays a trial again. */
function replayOf({ id, places }: TrialReport, { problems, seed }: ReportJson): string {
  const replay = problems.find(({ trials }) => trials[0] === id)?.replay;
  return replay ?? `kredo explore${places.map(({ fault }) => ` --fault ${fault}`).join("")} --seed ${seed}`;
}

function TrialDetail({ trial, replay }: { readonly trial: TrialReport; readonly replay: string }): JSX.Element {
  const { verdict, verdicts, exchanges } = trial;
  return (
    <>
      {verdicts.length === 0 && <VerdictBadge is={verdict} />}
      {verdicts.map(({ is, id, seen, truths, follows, repair }, index) => (
        <div key={index} class="stack close">
          <p class="row">
            <VerdictBadge is={is} />
            {id !== "order" && <code class="quiet">{id}</code>}
          </p>
          {truths && <BackendAndCustomer verb="says" knows={truths.says} got={truths.got} paid={truths.paid} />}
          <p dir="auto">{seen}</p>
          <Follows of={follows} />
          {repair !== undefined && <p>{repair}</p>}
        </div>
      ))}
      <h3>Exchanges</h3>
      {exchanges.length === 0 && <p class="quiet">No request arrived.</p>}
      <ol class="list" aria-label="Exchanges">
        {exchanges.map((exchange, index) => (
          <Exchange key={index} exchange={exchange} isChosen={currentRoute.value.query["exchange"] === String(index)} />
        ))}
      </ol>
      <h3>Replay it</h3>
      <Copyable text={`npx ${replay}`} label="the command that plays this trial again" />
    </>
  );
}

function VerdictBadge({ is }: { readonly is: TrialReport["verdict"] }): JSX.Element {
  return <Badge tone={VERDICTS[is].tone}>{VERDICTS[is].title}</Badge>;
}

/** What follows from a problem, and is none of its own. */
export function Follows({ of }: { readonly of: TrialReport["verdicts"][number]["follows"] }): JSX.Element {
  return (
    <>
      {of.map(({ id, seen }) => (
        <p key={id} dir="auto">
          So also <code class="quiet">{id}</code>: {seen}
        </p>
      ))}
    </>
  );
}

type Entry = TrialReport["exchanges"][number];

/** The chosen one is named by the address, and opens in view. */
function Exchange({ exchange, isChosen }: { readonly exchange: Entry; readonly isChosen: boolean }): JSX.Element {
  const { at, kind, title, outcome, tone, rules, answer, request_id: requestId } = exchange;
  const isOpen = useSignal(isChosen);
  const item = useRef<HTMLLIElement>(null);
  const show = (): void => {
    if (isChosen) item.current?.scrollIntoView();
  };
  useLayoutEffect(show, []);
  return (
    <li ref={item}>
      <p dir="auto">
        <span class="quiet number">{timeOfDay(Date.parse(at))}</span> {title}
      </p>
      <p class={tone} dir="auto" title={rules}>
        {outcome} {rules !== undefined && <span class="quiet">by a rule</span>}
      </p>
      {answer !== undefined && <pre dir="auto">{answer}</pre>}
      {kind === "request" && title.startsWith("POST") && (
        <details open={isOpen.value} onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}>
          <summary>Raw exchange</summary>
          {isOpen.value && <OnTheWire requestId={requestId} onRead={show} />}
        </details>
      )}
    </li>
  );
}

/** Shows the raw exchange. The sandbox keeps the bytes of the last 1,000 requests, even after the next trial has reset the account. */
function OnTheWire({ requestId, onRead }: { readonly requestId: string; readonly onRead: () => void }): JSX.Element {
  const exchange = useExchange(requestId);
  useLayoutEffect(onRead, [exchange === undefined]);
  return (
    <div class="stack">
      <ExchangeView request={undefined} exchange={exchange} />
    </div>
  );
}
