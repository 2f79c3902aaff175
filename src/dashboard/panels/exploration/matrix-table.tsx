import type { JSX } from "preact";
import { hrefOf, replaceItem, route } from "../../route.ts";
import { type Matrix, type MatrixRow, type Place, VERDICTS } from "./matrix.ts";

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  j: [1, 0],
  ArrowUp: [-1, 0],
  k: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Faults by points. Each cell is a link to its exchanges; arrow keys, j and k walk from cell to cell, and so does what is open. */
export function MatrixTable({ matrix: { points, groups } }: { readonly matrix: Matrix }): JSX.Element {
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

function Row({ row: { fault, words, places }, points }: { readonly row: MatrixRow; readonly points: readonly string[] }): JSX.Element {
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

function CellLink({ place, what }: { readonly place: Place; readonly what: string }): JSX.Element | null {
  const [worst] = place;
  if (worst === undefined) return null;
  const { sign, title, tone } = VERDICTS[worst.verdict];
  const isOpen = place.some(({ id }) => id === route.value.item);
  return (
    <a
      class={`matrix-cell badge ${tone}`}
      href={hrefOf({ panel: "exploration", item: worst.id })}
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

/** The next cell in a direction from the one that has the focus; places where nothing was tried are skipped. */
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
