import { computed, type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import { thin, WalletCurve, type WalletPoint } from "./wallet-curve.ts";
import { dayOf, money, timeOfDay, zoneWords } from "../../format.ts";
import { Cursor } from "../../live/row-reading.ts";
import { FirstCommand } from "../../parts/parts.tsx";
import { account } from "../../store.ts";
import type { BalanceChart } from "./balance-chart.ts";

const MOST_POINTS = 2_000;

const reading = { curve: new WalletCurve(MOST_POINTS), cursor: new Cursor<LedgerLine>() };

/** The points of the curve. Visits each entry of the ledger once. */
const curve = computed((): readonly WalletPoint[] => {
  const { goesOn, added } = reading.cursor.read(account.value?.reading.ledger.entries ?? []);
  if (!goesOn) reading.curve = new WalletCurve(MOST_POINTS);
  for (const entry of added) reading.curve.take(entry);
  return [...reading.curve.points];
});

export function BalanceCurve(): JSX.Element {
  const points = curve.value;
  if (points.length < 2) return <NothingSpent />;
  return (
    <figure class="curve">
      <figcaption class="visually-hidden">Available balance over time, in KES</figcaption>
      <Chart points={points} />
      <CurveTable points={thin(points, MOST_LISTED)} isThinned={points.length > MOST_LISTED} />
    </figure>
  );
}

const MOST_LISTED = 24;

/** Draws the curve. The selected point stays the same while others are added. */
function Chart({ points }: { readonly points: readonly WalletPoint[] }): JSX.Element {
  const chosen = useSignal<number | undefined>(undefined);
  const { host, chart } = useChart(points, chosen);
  const last = points.length - 1;
  const index = Math.min(chosen.value ?? last, last);
  const point = points[index];
  const choose = (to: number | undefined): void => {
    chosen.value = to;
    chart.value?.pointTo(to);
  };
  const walk = (event: KeyboardEvent): void => {
    const to = stepTo(event.key, index, points.length);
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  return (
    <>
      <div
        ref={host}
        class="curve-plot"
        role="slider"
        tabIndex={0}
        aria-label="Available balance over time"
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={index + 1}
        aria-valuetext={
          point && `KES ${money(point.available)} from ${dayOf(point.at)} ${timeOfDay(point.at)} ${zoneWords()}`
        }
        onKeyDown={walk}
        onBlur={() => choose(undefined)}
      />
      <p class="curve-value quiet number" aria-hidden="true">
        {point && `KES ${money(point.available)} from ${dayOf(point.at)} ${timeOfDay(point.at)}`}
      </p>
    </>
  );
}

/** Returns the point that a key moves to; undefined for other keys. */
function stepTo(key: string, from: number, count: number): number | undefined {
  const last = count - 1;
  const far = Math.max(1, Math.round(count / 10));
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - far,
    PageUp: from + far,
    Home: 0,
    End: last,
  };
  const wanted = to[key];
  return wanted === undefined ? undefined : Math.min(last, Math.max(0, wanted));
}

/** Loads the chart library with the first chart. */
function useChart(points: readonly WalletPoint[], chosen: Signal<number | undefined>) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useSignal<BalanceChart | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const open = async (): Promise<void> => {
      const { openBalanceChart } = await import("./balance-chart.ts");
      if (isWanted && host.current !== null)
        chart.value = openBalanceChart(host.current, (index) => void (chosen.value = index));
    };
    // Without the chart, the table and the keys still show the balance.
    open().catch(() => undefined);
    return () => {
      isWanted = false;
      chart.peek()?.close();
    };
  }, []);
  const { value } = chart;
  useEffect(() => value?.show(points), [value, points]);
  return { host, chart };
}

function CurveTable({
  points,
  isThinned,
}: {
  readonly points: readonly WalletPoint[];
  readonly isThinned: boolean;
}): JSX.Element {
  return (
    <div class="visually-hidden">
      <table>
        <caption>
          Available balance over time
          {isThinned && `: ${points.length} of the changes, including the lowest and the highest`}
        </caption>
        <thead>
          <tr>
            <th scope="col">From, {zoneWords()}</th>
            <th scope="col">Available, KES</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, available }, index) => (
            <tr key={index}>
              <td>{`${dayOf(at)} ${timeOfDay(at)}`}</td>
              <td>{money(available)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NothingSpent(): JSX.Element {
  return (
    <div class="stack">
      <p>No entries yet. Buy airtime to see its price held and charged:</p>
      <FirstCommand />
    </div>
  );
}
