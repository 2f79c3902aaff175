import type { Exploration } from "../../../control-client/shapes.ts";
import { FAULT_GROUPS, FAULTS, type FaultGroup } from "../../../scenario/faults.ts";
import type { Tone } from "../../parts/parts.tsx";

export type Cell = Exploration["cells"][number];

/** The verdicts, the one that decides how a place looks first; each has a sign of its own, for whoever sees no colours. */
export const VERDICTS: Readonly<Record<Cell["verdict"], { readonly sign: string; readonly title: string; readonly tone: Tone }>> = {
  defect: { sign: "✕", title: "Defect", tone: "bad" },
  "needs a person": { sign: "?", title: "Held open for a person, which is right", tone: "warm" },
  "not assessed": { sign: "–", title: "Not assessed", tone: "plain" },
  right: { sign: "✓", title: "Right", tone: "good" },
};

/** A fault at a point: every cell whose last fault this is, the one with the worst verdict first. */
export type Place = readonly Cell[];

export interface MatrixRow {
  readonly fault: string;
  readonly words: string;
  /** One for each point; empty where the fault was not tried there. */
  readonly places: readonly Place[];
}

export interface Matrix {
  /** "1st airtime request", in the order in which they came up. */
  readonly points: readonly string[];
  readonly groups: readonly { readonly title: FaultGroup | "no fault"; readonly rows: readonly MatrixRow[] }[];
}

/** Arranges what was explored as faults by points. */
export function arrange(cells: readonly Cell[]): Matrix {
  const places = new Map<string, Cell[]>();
  for (const cell of cells) {
    const { point, fault } = placeOf(cell);
    const key = `${point}\n${fault}`;
    places.set(key, [...(places.get(key) ?? []), cell]);
  }
  const points = [...new Set(cells.map((cell) => placeOf(cell).point))];
  const row = (fault: string, words: string): MatrixRow => ({
    fault,
    words,
    places: points.map((point) => (places.get(`${point}\n${fault}`) ?? []).toSorted((one, other) => rank(one) - rank(other))),
  });
  const groups = FAULT_GROUPS.map((group) => ({
    title: group,
    rows: FAULTS.filter((fault) => fault.group === group).map(({ id, words }) => row(id, words)),
  }));
  return {
    points,
    groups: [{ title: "no fault" as const, rows: [row("", "nothing goes wrong")] }, ...groups]
      .map(({ title, rows }) => ({ title, rows: rows.filter((row) => row.places.some((place) => place.length > 0)) }))
      .filter(({ rows }) => rows.length > 0),
  };
}

/** Of several faults, the last one is what the cell adds; a plain order is at its first request. */
function placeOf({ places, operation }: Cell): Cell["places"][number] {
  return places.at(-1) ?? { point: `1st ${operation} request`, fault: "" };
}

function rank({ verdict }: Cell): number {
  return Object.keys(VERDICTS).indexOf(verdict);
}
