import { type MoneyAxis, moneyAxis, placeInTime, placeOfMoney, shownTime } from "../account/readings/curve-axes.ts";
import type { WalletPoint } from "../account/readings/wallet-curve.ts";
import { cents, formatKes, type Kes } from "../domain/kes.ts";
import { formatInstant, type Instant } from "../domain/time.ts";
import { html, type Markup } from "./html.ts";
import { formatElapsed } from "./report-text.ts";

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
    <div class="ticks" aria-hidden="true">${axis.ticks.toReversed().map((tick) => html`<span>${shortKes(tick)}</span>`)}</div>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${told}">
      ${drawGrid(axis)}${drawLine(points, axis)}
    </svg>
    <div class="hours" aria-hidden="true">${hourLabels(first.at, last.at).map((hour) => html`<span>${hour}</span>`)}</div>
  </figure>`;
}

/** The drawing's own units; it is stretched to the width of the page. */
const WIDTH = 1_000;
const HEIGHT = 200;

function tellCurve(points: readonly WalletPoint[], first: WalletPoint, last: WalletPoint): string {
  const lowest = Math.min(...points.map(({ available }) => available));
  const ends = `KES ${grouped(first.available)} available at first, KES ${grouped(last.available)} at the end`;
  const between = lowest < Math.min(first.available, last.available) ? `, KES ${grouped(cents(lowest))} at the lowest` : "";
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

function hourLabels(first: Instant, last: Instant): string[] {
  if (last === first) return ["in order: the clock stood still"];
  return [0, 0.5, 1].map((part) => formatElapsed(Math.round(part * shownTime(first, last))));
}

function shorten(number: number): number {
  return Math.round(number * 100) / 100;
}
