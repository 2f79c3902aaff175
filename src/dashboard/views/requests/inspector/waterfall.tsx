import type { JSX } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { accountTime } from "../../../../gateway/account/account-time.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import type { Instant } from "../../../../gateway/domain/time.ts";
import { Badge } from "../../../parts/parts.tsx";
import { account, accountNow } from "../../../store.ts";
import type { ExchangeReading } from "./readings.ts";
import { type Axis, axisOf, lengthWords, type Span, spansOf } from "./spans.ts";

/** Shows how long each part took. Bars in progress grow. */
export function Waterfall({
  transaction,
  exchange,
}: {
  transaction: Transaction;
  exchange: ExchangeReading;
}): JSX.Element {
  const known = typeof exchange === "object" ? exchange : undefined;
  const state = account.value?.reading.state;
  const wall = Date.now();
  const now = state === undefined ? accountNow.value : accountTime(state.clock, wall, state.latest);
  const spans = spansOf(transaction, known, { now, wall });
  useRedraw(spans.some(({ isLasting, due = 0 }) => isLasting || due > now));
  const axis = axisOf(spans);
  return (
    <table class="waterfall" aria-label="Waterfall">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Begins after</th>
          <th scope="col">Lasts</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {spans.map((span) => (
          <SpanRow key={span.name} span={span} axis={axis} begin={transaction.accepted.at} />
        ))}
      </tbody>
    </table>
  );
}

/** Wall-clock milliseconds between two steps of a growing bar. */
const STEP = 50;

/** Redraws regularly while something is in progress. */
function useRedraw(isLasting: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isLasting) return;
    const timer = setInterval(() => redraw(undefined), STEP);
    return () => clearInterval(timer);
  }, [isLasting]);
}

function SpanRow({
  span,
  axis,
  begin,
}: {
  readonly span: Span;
  readonly axis: Axis;
  readonly begin: Instant;
}): JSX.Element {
  const { name, from, until, isLasting, due, tone, text } = span;
  const left = axis.at(from);
  const width = axis.at(until) - left;
  return (
    <tr class={`span ${tone}${isLasting ? " lasting" : ""}`}>
      <th scope="row">{name}</th>
      <td class="number quiet">+{lengthWords(from - begin)}</td>
      <td>
        <span class="visually-hidden">{lengthWords(until - from)}</span>
        <div class="span-track">
          {axis.folds.map((fold) => (
            <i
              key={fold.from}
              class="span-fold"
              title={`${lengthWords(fold.length)} without any activity`}
              style={{ insetInlineStart: `${fold.from}%`, width: `${fold.to - fold.from}%` }}
            />
          ))}
          {due !== undefined && (
            <i class="span-due" style={{ insetInlineStart: `${left}%`, width: `${axis.at(due) - left}%` }} />
          )}
          <i class="span-bar" style={{ insetInlineStart: `${left}%`, width: `${width}%` }} />
        </div>
      </td>
      <td>
        <span class="span-text">
          <Badge tone={tone}>{text}</Badge>
          <span class="quiet number" aria-hidden="true">
            {lengthWords(until - from)}
          </span>
        </span>
      </td>
    </tr>
  );
}
