import type { JSX } from "preact";
import { hrefOf, replaceItem, route } from "../../route.ts";
import type { ReportJson } from "../../../verdict/shapes.ts";
import { FAULT_GROUPS, FAULTS, type FaultGroup } from "../../../verdict/faults.ts";
import { useClosed } from "../../parts/focus.ts";
import type { Tone } from "../../parts/parts.tsx";

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  j: [1, 0],
  ArrowUp: [-1, 0],
  k: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/**
 * A table of faults by points. Each cell links to its exchanges. Arrow keys, j and k move between cells; an open cell follows the focus.
 */
export function MatrixTable({ matrix: { points, groups } }: { readonly matrix: Matrix }): JSX.Element {
  useClosed(route.value.item, focusCell);
  return (
    <div class="matrix" onKeyDown={walk}>
      <table aria-label="Matrix: faults by points">
        <thead>
          <tr>
            <th scope="col">When</th>
            {points.map((point) => (
              <th key={point} scope="col">
                {point}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ title, rows }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={points.length + 1}>
                {title}
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.fault} row={row} points={points} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function focusCell(id: string): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`)?.focus();
}

function Row({
  row: { fault, words, places },
  points,
}: {
  readonly row: MatrixRow;
  readonly points: readonly string[];
}): JSX.Element {
  return (
    <tr>
      <th scope="row" title={fault}>
        {words}
      </th>
      {places.map((place, index) => (
        <td key={points[index]}>
          <CellLink place={place} what={`${words}, ${points[index]}`} />
        </td>
      ))}
    </tr>
  );
}

function CellLink({ place, what }: { readonly place: MatrixCell; readonly what: string }): JSX.Element | null {
  const [worst] = place;
  if (worst === undefined) return null;
  const { sign, title, tone } = VERDICTS[worst.verdict];
  const isOpen = place.some(({ id }) => id === route.value.item);
  return (
    <a
      class={`matrix-cell badge ${tone}`}
      href={hrefOf({ view: "verdict", item: worst.id })}
      data-cell={worst.id}
      aria-label={`${title}: ${what}`}
      aria-current={isOpen ? "true" : undefined}
      title={title}
    >
      {sign}
    </a>
  );
}

function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const link = linkTowards(step, event.currentTarget);
  link?.focus();
  if (link !== undefined && route.peek().item !== undefined) replaceItem(link.dataset["cell"] ?? "");
}

/** Returns the next cell in a direction from the focused one, skipping combinations that were not tried. */
function linkTowards([down, right]: readonly [number, number], matrix: HTMLElement): HTMLElement | undefined {
  const rows = [...matrix.querySelectorAll("tr:has(td)")].map((row) => [...row.querySelectorAll("td")]);
  let y = rows.findIndex((row) => row.some(hasFocus));
  let x = rows[y]?.findIndex(hasFocus) ?? -1;
  for (;;) {
    y += down;
    x += right;
    const cell = rows[y]?.[x];
    const link = cell?.querySelector("a");
    if (cell === undefined || link) return link ?? undefined;
  }
}

function hasFocus(cell: Element): boolean {
  return cell.contains(document.activeElement);
}

export type TrialCell = ReportJson["trials"][number];

/**
 * The verdicts, from worst to best. The worst one decides how a place looks. Each has its own sign, for people who cannot tell the colours
 * apart.
 */
export const VERDICTS: Readonly<
  Record<TrialCell["verdict"], { readonly sign: string; readonly title: string; readonly tone: Tone }>
> = {
  defect: { sign: "✕", title: "Defect", tone: "bad" },
  risk: { sign: "!", title: "Risk", tone: "warm" },
  cost: { sign: "!", title: "Cost", tone: "warm" },
  hint: { sign: "!", title: "Hint", tone: "plain" },
  open: { sign: "?", title: "Correct: left open for review", tone: "warm" },
  "not assessed": { sign: "–", title: "Not assessed", tone: "plain" },
  right: { sign: "✓", title: "Right", tone: "good" },
};

/** A fault at a point: every cell that ends with this fault, worst verdict first. */
type MatrixCell = readonly TrialCell[];

interface MatrixRow {
  readonly fault: string;
  readonly words: string;
  /** One for each point; empty if the fault was not tried there. */
  readonly places: readonly MatrixCell[];
}

interface Matrix {
  /** Such as "1st airtime request", in the order of their first use. */
  readonly points: readonly string[];
  readonly groups: readonly {
    readonly title: FaultGroup | "no fault" | "special trials";
    readonly rows: readonly MatrixRow[];
  }[];
}

/** Arranges the explored cells as faults by points. */
export function arrange(cells: readonly TrialCell[]): Matrix {
  const places = new Map<string, TrialCell[]>();
  for (const cell of cells) {
    const { point, fault } = placeOf(cell);
    const key = `${point}\n${fault}`;
    places.set(key, [...(places.get(key) ?? []), cell]);
  }
  const points = [...new Set(cells.map((cell) => placeOf(cell).point))];
  const row = (fault: string, words: string): MatrixRow => ({
    fault,
    words,
    places: points.map((point) =>
      (places.get(`${point}\n${fault}`) ?? []).toSorted((one, other) => rank(one) - rank(other)),
    ),
  });
  const groups = FAULT_GROUPS.map((group) => ({
    title: group,
    rows: FAULTS.filter((fault) => fault.group === group).map(({ id, words }) => row(id, words)),
  }));
  const special = cells.filter((cell) => !["", ...FAULTS.map(({ id }) => id)].includes(placeOf(cell).fault));
  const others = new Map(special.map((cell) => [placeOf(cell).fault, cell.faults]));
  const trials = { title: "special trials" as const, rows: [...others].map(([fault, words]) => row(fault, words)) };
  return {
    points,
    groups: [{ title: "no fault" as const, rows: [row("", "nothing goes wrong")] }, ...groups, trials]
      .map(({ title, rows }) => ({ title, rows: rows.filter((row) => row.places.some((place) => place.length > 0)) }))
      .filter(({ rows }) => rows.length > 0),
  };
}

/** Returns the last of several faults, which is what the cell adds. An order without faults counts as its first request. */
function placeOf({ places, operation }: TrialCell): TrialCell["places"][number] {
  return places.at(-1) ?? { point: `1st ${operation} request`, fault: "" };
}

function rank({ verdict }: TrialCell): number {
  return Object.keys(VERDICTS).indexOf(verdict);
}
