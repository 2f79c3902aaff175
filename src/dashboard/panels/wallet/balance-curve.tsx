import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { walletCurve, type WalletPoint } from "../../../account/readings/wallet-curve.ts";
import { dayOf, money, timeOfDay } from "../../format.ts";
import { FirstCommand } from "../../parts/first-command.tsx";
import { book } from "../../store.ts";
import { CurvePlot } from "./curve-plot.tsx";
import { pick, shapeCurve } from "./curve-shape.ts";

/** What was available over time: to look at, to walk along by keyboard, and as a table. */
export function BalanceCurve(): JSX.Element {
  const { revision, book: account } = book.value ?? {};
  const points = useMemo(() => walletCurve(account?.ledger.entries ?? []), [account, revision]);
  const shape = useMemo(() => shapeCurve(points), [points]);
  if (points.length < 2) return <NothingSpent />;
  return (
    <figure class="curve">
      <figcaption class="visually-hidden">Available balance over time, in KES</figcaption>
      <CurvePlot shape={shape} />
      <CurveTable points={pick(points, MOST_TOLD)} isThinned={points.length > MOST_TOLD} />
    </figure>
  );
}

/** Rows of the table, which is listened to. */
const MOST_TOLD = 24;

function CurveTable({ points, isThinned }: { readonly points: readonly WalletPoint[]; readonly isThinned: boolean }): JSX.Element {
  return (
    <div class="visually-hidden">
      <table>
        <caption>
          Available balance over time{isThinned && `: ${points.length} of the changes, the lowest and the highest among them`}
        </caption>
        <thead>
          <tr>
            <th scope="col">From, in Nairobi</th>
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
      <p>Nothing has moved yet. Buy airtime, and watch its price being held and then charged:</p>
      <FirstCommand />
    </div>
  );
}
