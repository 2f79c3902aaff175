import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ReportJson, TrialReport } from "../../../verdict/endpoints/shapes.ts";
import { timeOfDay } from "../../base/format.ts";
import { Docked } from "../../parts/docked.tsx";
import { Badge, Copyable } from "../../parts/parts.tsx";
import { goTo } from "../../base/route.ts";
import { useExchange } from "../requests/inspector/use-detail.ts";
import { ExchangeView } from "../requests/inspector/http-view.tsx";
import { VERDICTS } from "../../live/backend-problems.ts";

/** Shows what happened in one trial, beside the matrix. */
export function OpenedTrial({ id, report }: { readonly id: string; readonly report: ReportJson }): JSX.Element {
  const trial = report.trials.find((one) => one.id === id);
  return (
    <Docked
      title={trial === undefined ? `There is no trial ${id}` : titleOf(trial)}
      onClose={() => goTo({ view: "verdict" })}
    >
      <div class="inspector-view stack" tabIndex={0} role="region" aria-label="Trial">
        {trial === undefined ? (
          <p>
            The latest report has no such trial. It may not have got that far, or the trial belongs to an earlier one.
          </p>
        ) : (
          <TrialDetail key={id} trial={trial} replay={replayOf(trial, report)} />
        )}
      </div>
    </Docked>
  );
}

function titleOf({ operation, faults }: TrialReport): string {
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
      {verdicts.map(({ is, id, title, seen, follows, repair }, index) => (
        <div key={index} class="stack close">
          <p class="row">
            <VerdictBadge is={is} />
            {id !== "order" && (
              <code class="quiet" title={title}>
                {id}
              </code>
            )}
          </p>
          <p dir="auto">{seen}</p>
          {follows.map((one) => (
            <p key={one.id} dir="auto">
              So also <code class="quiet">{one.id}</code>: {one.seen}
            </p>
          ))}
          {repair !== undefined && <p>{repair}</p>}
        </div>
      ))}
      <h3>Exchanges</h3>
      {exchanges.length === 0 && <p class="quiet">No request arrived.</p>}
      <ol aria-label="Exchanges">
        {exchanges.map((exchange, index) => (
          <Exchange key={index} exchange={exchange} />
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

function Exchange({ exchange }: { readonly exchange: TrialReport["exchanges"][number] }): JSX.Element {
  const { at, kind, title, outcome, tone, rules, answer, request_id: requestId } = exchange;
  const isOpen = useSignal(false);
  return (
    <li class={`timeline-step ${tone}`}>
      <p dir="auto">
        <span class="quiet number">{timeOfDay(Date.parse(at))}</span> {title}
      </p>
      <p class="row">
        <strong dir="auto">{outcome}</strong>
        {rules !== undefined && (
          <Badge tone="warm">
            <span title={rules}>by a rule</span>
          </Badge>
        )}
      </p>
      {answer !== undefined && <pre dir="auto">{answer}</pre>}
      {kind === "request" && title.startsWith("POST") && (
        <details onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}>
          <summary>Raw exchange</summary>
          {isOpen.value && <OnTheWire requestId={requestId} />}
        </details>
      )}
    </li>
  );
}

/** Shows the raw exchange. The sandbox keeps the bytes of the last 1,000 requests, even after the next trial has reset the account. */
function OnTheWire({ requestId }: { readonly requestId: string }): JSX.Element {
  return (
    <div class="stack">
      <ExchangeView request={undefined} exchange={useExchange(requestId)} />
    </div>
  );
}
