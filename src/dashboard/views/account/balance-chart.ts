import uPlot from "uplot";
import type { WalletPoint } from "./wallet-curve.ts";
import { cents } from "../../../gateway/domain/kes.ts";
import { SECOND } from "../../../gateway/domain/time.ts";
import { money, zone } from "../../format.ts";
import { theme } from "../../header/settings.tsx";

export interface BalanceChart {
  readonly show: (points: readonly WalletPoint[]) => void;
  /** Moves the cursor to a point, or hides it. */
  readonly pointTo: (index: number | undefined) => void;
  readonly close: () => void;
}

/** Draws the balance into an element. `onPoint` receives the index of the point under the pointer. */
export function openBalanceChart(host: HTMLElement, onPoint: (index: number | undefined) => void): BalanceChart {
  const plot = new uPlot(optionsFor(host, onPoint), [[], []], host);
  const resize = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: host.clientHeight }));
  resize.observe(host);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = (): void => {
    if (plot.data[0].length > 0) plot.redraw();
  };
  scheme.addEventListener("change", redraw);
  const forgetTheme = theme.subscribe(redraw);
  return {
    show: (points) => plot.setData(columnsOf(points)),
    pointTo: (index) => {
      const x = index === undefined ? undefined : plot.data[0][index];
      plot.setCursor({ left: x === undefined ? -10 : plot.valToPos(x, "x"), top: 0 }, false);
    },
    close: () => {
      resize.disconnect();
      scheme.removeEventListener("change", redraw);
      forgetTheme();
      plot.destroy();
    },
  };
}

function optionsFor(host: HTMLElement, onPoint: (index: number | undefined) => void): uPlot.Options {
  // A canvas cannot resolve CSS variables or light-dark(), so the colour is computed on an element.
  const colour = (name: string) => (): string => {
    host.style.color = `var(${name})`;
    return getComputedStyle(host).color;
  };
  const { stepped } = uPlot.paths;
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false }, bind: { dblclick: () => null } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * SECOND), zone.peek()),
    axes: [
      { ...axis, values: TIMES },
      {
        ...axis,
        size: 80,
        values: (_, amounts) => amounts.map((amount) => money(cents(Math.round(amount))).replace(/\.00$/, "")),
      },
    ],
    series: [
      {},
      {
        stroke: colour("--accent"),
        fill: colour("--accent-soft"),
        width: 2,
        ...(stepped && { paths: stepped({ align: 1 }) }),
        points: { show: false },
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { event, idx } }) => {
          if (event) onPoint(idx ?? undefined);
        },
      ],
    },
  };
}

/** uPlot's own formats with 24 hours: the minimum step between labels, the label, and what is added when the larger unit changes. */
const TIMES: uPlot.Axis.Values = [
  [86_400, "{D} {MMM}", null, null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM}", null, null, null, null, null, 1],
  [0.001, ":{ss}.{fff}", "\n{HH}:{mm}", null, null, null, null, null, 1],
];

/**
 * Extends the last balance by a twentieth of the time, so that the last change is visible as a step. Changes at the same moment are drawn 1
 * ms apart.
 */
function columnsOf(points: readonly WalletPoint[]): uPlot.AlignedData {
  const times: number[] = [];
  for (const { at } of points) times.push(Math.max(at / SECOND, (times.at(-1) ?? -Infinity) + 0.001));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const end = last + (last - first) / 20;
  return [[...times, end], [...points, ...points.slice(-1)].map<number>(({ available }) => available)];
}
