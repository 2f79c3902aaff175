import type { WalletPoint } from "../../gateway/account/readings/wallet-curve.ts";
import { cents, formatKes, type Kes } from "../../gateway/domain/kes.ts";
import { formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import { html, type Markup } from "./html.ts";
import { formatElapsed } from "./report-text.ts";

interface MoneyAxis {
  readonly low: number;
  readonly high: number;
  /** Evenly spaced, from the lowest to the highest. */
  readonly ticks: readonly Kes[];
}

/** Draws the available balance as a line with a step at each change. */
export function drawWallet(points: readonly WalletPoint[]): Markup {
  const [first, ...rest] = points;
  if (first === undefined) return html``;
  if (rest.length === 0) return html`<p>KES ${grouped(first.available)} were available throughout.</p>`;
  const axis = moneyAxis(points);
  const last = points.at(-1) ?? first;
  const told = tellCurve(points, first, last);
  return html`<figure class="curve">
    <figcaption>${told} Time since ${formatInstant(first.at)}.</figcaption>
    <div class="ticks" aria-hidden="true">
      ${axis.ticks.toReversed().map((tick) => html`<span>${shortKes(tick)}</span>`)}
    </div>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${told}">
      ${drawGrid(axis)}${drawLine(points, axis)}
    </svg>
    <div class="hours" aria-hidden="true">
      ${hourLabels(first.at, last.at).map((hour) => html`<span>${hour}</span>`)}
    </div>
  </figure>`;
}

/** The drawing's own units; it is stretched to the width of the page. */
const WIDTH = 1_000;
const HEIGHT = 200;

/** Picks steps that people count in: 1, 2, 5, 10, 20, 50 and so on, at least one cent. */
function moneyAxis(points: readonly WalletPoint[]): MoneyAxis {
  const amounts = points.map(({ available }) => available);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const rough = Math.max((most - least) / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const low = Math.floor(least / step) * step;
  const count = Math.max(1, Math.ceil((most - low) / step));
  const ticks = Array.from({ length: count + 1 }, (_, index) => cents(low + index * step));
  return { low, high: low + count * step, ticks };
}

function tellCurve(points: readonly WalletPoint[], first: WalletPoint, last: WalletPoint): string {
  const lowest = Math.min(...points.map(({ available }) => available));
  const ends = `KES ${grouped(first.available)} available at first, KES ${grouped(last.available)} at the end`;
  const between =
    lowest < Math.min(first.available, last.available) ? `, KES ${grouped(cents(lowest))} at the lowest` : "";
  return `${ends}${between}.`;
}

function shortKes(amount: Kes): string {
  return grouped(amount).replace(/\.00$/, "");
}

function grouped(amount: Kes): string {
  return formatKes(amount).replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
}

function drawGrid({ ticks }: MoneyAxis): Markup[] {
  return ticks.map((_, index) => {
    const y = shorten((index / (ticks.length - 1)) * HEIGHT);
    return html`<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" />`;
  });
}

function drawLine(points: readonly WalletPoint[], axis: MoneyAxis): Markup {
  const steps = points.map((point, index) => {
    const [x, y] = [shorten(placeInTime(points, index) * WIDTH), shorten(placeOfMoney(axis, point.available) * HEIGHT)];
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  const line = `${steps.join("")}H${WIDTH}`;
  return html`<path class="area" d="${line}V${HEIGHT}H0Z" /><path d="${line}" />`;
}

/** Returns a point's horizontal position, from 0 to 1. If the clock stood still, points are evenly spaced in order. */
function placeInTime(points: readonly WalletPoint[], index: number): number {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  return last === first ? index / points.length : ((points[index]?.at ?? 0) - first) / shownTime(first, last);
}

/** Returns an amount's vertical position, from 0 at the top to 1. */
function placeOfMoney({ low, high }: MoneyAxis, amount: Kes): number {
  return (high - amount) / (high - low);
}

function hourLabels(first: Instant, last: Instant): string[] {
  if (last === first) return ["in order: the clock stood still"];
  return [0, 0.5, 1].map((part) => formatElapsed(Math.round(part * shownTime(first, last))));
}

/** A little longer than the time from the first change to the last, so that the last step is visible. */
function shownTime(first: Instant, last: Instant): Millis {
  return (last - first) * 1.05;
}

function shorten(number: number): number {
  return Math.round(number * 100) / 100;
}
