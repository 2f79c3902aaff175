import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ReportJson } from "../../../verdict/shapes.ts";
import { timeOfDay } from "../../format.ts";
import { Docked } from "../../parts/docked.tsx";
import { Badge, Copyable } from "../../parts/parts.tsx";
import { goTo, hrefOf } from "../../route.ts";
import { useExchange } from "../requests/inspector/readings.ts";
import { RequestView, ResponseView } from "../requests/inspector/http-view.tsx";
import { type TrialCell, VERDICTS } from "./matrix-table.tsx";

/** Shows what happened in one cell, beside the matrix. */
export function OpenedCell({ id, exploration }: { id: string; exploration: ReportJson }): JSX.Element {
  const cell = exploration.trials.find((cell) => cell.id === id);
  return (
    <Docked title={cell === undefined ? `There is no cell ${id}` : `${cell.operation}: ${cell.faults}`} onClose={close}>
      <div class="inspector-view stack" tabIndex={0} role="region" aria-label="TrialCell">
        {cell === undefined ? (
          <p>This exploration has no such cell. It may not have got that far, or the cell belongs to an earlier one.</p>
        ) : (
          <Told key={id} cell={cell} exploration={exploration} />
        )}
      </div>
    </Docked>
  );
}

function close(): void {
  goTo({ view: "verdict" });
}

function Told({ cell, exploration }: { readonly cell: TrialCell; readonly exploration: ReportJson }): JSX.Element {
  const { verdict, verdicts, exchanges } = cell;
  return (
    <>
      {verdicts.length === 0 && <VerdictBadge is={verdict} />}
      {verdicts.map((one, index) => (
        <Judged key={index} verdict={one} />
      ))}
      <h3>Exchanges</h3>
      {exchanges.length === 0 && <p class="quiet">No request arrived.</p>}
      <ol aria-label="Exchanges">
        {exchanges.map((exchange, index) => (
          <Exchange key={index} exchange={exchange} />
        ))}
      </ol>
      <Neighbours cell={cell} cells={exploration.trials} />
      <h3>Replay it</h3>
      <Copyable text={commandFor(cell, exploration)} label="the command that explores this cell again" />
    </>
  );
}

function Judged({
  verdict: { is, id, title, seen, follows, repair },
}: {
  readonly verdict: TrialCell["verdicts"][number];
}): JSX.Element {
  return (
    <div class="stack-s">
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
      {repair !== undefined && <p class="transaction-hint">{repair}</p>}
    </div>
  );
}

function VerdictBadge({ is }: { readonly is: TrialCell["verdict"] }): JSX.Element {
  return <Badge tone={VERDICTS[is].tone}>{VERDICTS[is].title}</Badge>;
}

function Exchange({ exchange }: { readonly exchange: TrialCell["exchanges"][number] }): JSX.Element {
  const { at, kind, title, outcome, is_ok: isOk, scripted, answer, request_id: requestId } = exchange;
  const isOpen = useSignal(false);
  return (
    <li class={`timeline-step ${isOk ? "good" : scripted === undefined ? "bad" : "warm"}`}>
      <p dir="auto">
        <span class="quiet number">{timeOfDay(Date.parse(at))}</span> {title}
      </p>
      <p class="row">
        <strong dir="auto">{outcome}</strong>
        {scripted !== undefined && (
          <Badge tone="warm">
            <span title={scripted}>scripted</span>
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

/** Shows the raw exchange. The sandbox keeps the bytes of the last 1,000 requests, even after the next cell has reset the account. */
function OnTheWire({ requestId }: { readonly requestId: string }): JSX.Element {
  const wire = { request: undefined, exchange: useExchange(requestId) };
  return (
    <div class="stack">
      <RequestView {...wire} />
      <ResponseView {...wire} />
    </div>
  );
}

/** Lists cells at the same place in the matrix: the same last fault, after different faults. */
function Neighbours({
  cell,
  cells,
}: {
  readonly cell: TrialCell;
  readonly cells: readonly TrialCell[];
}): JSX.Element | null {
  const last = cell.places.at(-1);
  const there = cells.filter(({ id, places }) => {
    const place = places.at(-1);
    return id !== cell.id && last !== undefined && place?.point === last.point && place.fault === last.fault;
  });
  if (there.length === 0) return null;
  return (
    <>
      <h3>At the same place</h3>
      <ul aria-label="At the same place">
        {there.map(({ id, faults, verdict }) => (
          <li key={id}>
            <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].sign}</Badge>{" "}
            <a href={hrefOf({ view: "verdict", item: id })}>{faults}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the command that repeats the cell. The first cell of each defect has its own rehearsal. */
function commandFor({ id, places }: TrialCell, { problems, seed }: ReportJson): string {
  const replay = problems.find(({ trials }) => trials[0] === id)?.replay;
  if (replay !== undefined) return `npx ${replay}`;
  const faults = places.map(({ fault }) => ` --fault ${fault}`).join("");
  return `npx kredo explore${faults} --seed ${seed}`;
}
