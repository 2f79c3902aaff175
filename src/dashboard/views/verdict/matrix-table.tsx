import type { JSX } from "preact";
import type { ReportJson, TrialReport } from "../../../verdict/endpoints/shapes.ts";
import { capital } from "../../../gateway/account/readings/describe-event.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { VERDICTS } from "../../live/backend-problems.ts";
import { replaceItem, currentRoute } from "../../base/route.ts";
import { hrefOfTrial } from "./opened-trial.tsx";

/** A table of faults by points. Each cell links to its trial. Arrow keys, j and k move between cells; an open trial follows the focus. */
export function MatrixTable({ report: { matrix, trials } }: { readonly report: ReportJson }): JSX.Element | null {
  if (matrix.rows.length === 0) return null;
  const inCells = new Set(matrix.rows.flatMap((row) => row.trials));
  const byId = new Map(trials.filter(({ id }) => inCells.has(id)).map((trial) => [trial.id, trial]));
  const groups = new Set(matrix.rows.map(({ group }) => group));
  return (
    <section class="card stack close" aria-label="Matrix">
      <Legend trials={[...byId.values()]} all={trials.length} />
      <div class="matrix sideways" onKeyDown={walk}>
        <table aria-label="Matrix: faults by points">
          <thead>
            <tr>
              <th scope="col">When</th>
              {matrix.points.map((point) => (
                <th key={point} scope="col">
                  {point}
                </th>
              ))}
            </tr>
          </thead>
          {Array.from(groups, (group) => (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={matrix.points.length + 1}>
                  {capital(group)}
                </th>
              </tr>
              {matrix.rows
                .filter((row) => row.group === group)
                .map(({ fault, words, trials: there }) => (
                  <tr key={fault}>
                    <th scope="row" title={fault}>
                      {words}
                    </th>
                    {there.map((id, index) => (
                      <td key={index}>
                        <CellLink trial={byId.get(id ?? "")} what={`${words}, ${matrix.points[index]}`} />
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

/** The verdicts in the matrix, with their numbers. Trials of the same last fault and point share a cell, which shows a defect first. */
function Legend({ trials, all }: Pick<ReportJson, "trials"> & { readonly all: number }): JSX.Element {
  return (
    <ul class="row quiet" aria-label="Verdicts">
      {Object.entries(VERDICTS).map(([verdict, { sign, title, tone }]) => {
        const count = trials.filter((trial) => trial.verdict === verdict).length;
        return count === 0 ? null : (
          <li key={verdict}>
            <span class={`badge ${tone}`} aria-hidden="true">
              {sign}
            </span>{" "}
            {title} <span class="number">{count.toLocaleString("en")}</span>
          </li>
        );
      })}
      {trials.length < all && <li>{`${counted(all - trials.length, "more trial")} in the same cells`}</li>}
    </ul>
  );
}

function CellLink({
  trial,
  what,
}: {
  readonly trial?: TrialReport | undefined;
  readonly what: string;
}): JSX.Element | null {
  if (trial === undefined) return null;
  const { sign, title, tone } = VERDICTS[trial.verdict];
  return (
    <a
      class={`matrix-cell badge ${tone}`}
      href={hrefOfTrial(trial.id)}
      data-cell={trial.id}
      aria-label={`${title}: ${what}`}
      aria-current={trial.id === currentRoute.value.item ? "true" : undefined}
      title={title}
    >
      {sign}
    </a>
  );
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  j: [1, 0],
  ArrowUp: [-1, 0],
  k: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const link = linkTowards(step, event.currentTarget);
  link?.focus();
  if (link !== undefined && currentRoute.peek().item !== undefined) replaceItem(link.dataset["cell"] ?? "");
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
