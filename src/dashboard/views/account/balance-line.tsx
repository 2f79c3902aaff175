import type { JSX } from "preact";
import { showKes } from "../../../gateway/domain/kes.ts";
import { account } from "../../store.ts";

/** A line of the available balance after each of the newest events; one event may release a hold and charge it. */
export function BalanceLine(): JSX.Element | null {
  const entries = account.value?.reading.ledger.entries ?? [];
  const shown = entries
    .filter(({ number }, index) => number !== entries[index + 1]?.number)
    .slice(-NEWEST)
    .map(({ available }) => available);
  const [first, latest] = [shown[0], shown.at(-1)];
  if (first === undefined || latest === undefined || shown.length < 2) return null;
  const lowest = Math.min(...shown);
  const height = Math.max(1, Math.max(...shown) - lowest);
  const points = shown.map((available, index) => `${index},${100 - (100 * (available - lowest)) / height}`);
  return (
    <svg
      class="balance-line"
      role="img"
      aria-label={`Available balance, from KES ${showKes(first)} to KES ${showKes(latest)}`}
      viewBox={`0 0 ${shown.length - 1} 100`}
      preserveAspectRatio="none"
    >
      <polyline points={points.join(" ")} />
    </svg>
  );
}

const NEWEST = 500;
