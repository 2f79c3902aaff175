import { formatDuration, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import { PATIENCE_MILLIS } from "../trial/pace.ts";
import { type Cell, breaksDetailsRequest, changesAccount } from "./cell.ts";
import type { CellResult, CellRun } from "./cell-result.ts";
import type { Fault } from "../faults.ts";
import { isQueueDependent } from "../orders/order-checks.ts";
import { counted } from "../../gateway/domain/counted.ts";

/** Cells that run in parallel, each with its own order. */
export interface Bundle {
  /** The application reacts to them alike: after refusals, for one, it may rightly stop sending, and those beside them run again alone. */
  readonly kind: "unknown" | "refused" | "told" | "special" | "details";
  readonly cells: readonly Cell[];
}

/** The most orders in parallel. More would be a load test. */
const MAX_ORDERS = 48;

/**
 * Groups cells into runs, those that lose most money in the least time first: cells with an unknown outcome together, then the others in
 * twos, then special trials, slow cells, and refusals together. Special trials, cells that change the account and cells with faults at
 * account details run alone; so do all cells, if the application does not tell orders apart.
 */
export function bundle(all: readonly Cell[], { areAlone = false }: { readonly areAlone?: boolean } = {}): Bundle[] {
  const of = (group: ReturnType<typeof groupOf>): Cell[] => all.filter((cell) => groupOf(cell) === group);
  const bundles: Bundle[] = [
    ...chunks(of("unknown"), MAX_ORDERS).map((cells) => ({ kind: "unknown" as const, cells })),
    ...mixedPairs(of("told")).map((cells) => ({ kind: "told" as const, cells })),
    ...of("special").map((cell) => ({ kind: "special" as const, cells: [cell] })),
    ...chunks(of("slow"), MAX_ORDERS).map((cells) => ({ kind: "unknown" as const, cells })),
    ...chunks(of("refused"), MAX_ORDERS).map((cells) => ({ kind: "refused" as const, cells })),
    ...of("account").map((cell) => ({ kind: "refused" as const, cells: [cell] })),
    ...of("details").map((cell) => ({ kind: "details" as const, cells: [cell] })),
  ];
  if (!areAlone) return bundles;
  return bundles.flatMap(({ kind, cells: together }) => together.map((cell) => ({ kind, cells: [cell] })));
}

function groupOf(cell: Cell): Bundle["kind"] | "slow" | "account" {
  if (breaksDetailsRequest(cell)) return "details";
  if (cell.special !== undefined) return "special";
  if (changesAccount(cell)) return "account";
  if (isSlow(cell)) return "slow";
  if (hasFaultLeaving(cell, "unknown")) return "unknown";
  return hasFaultLeaving(cell, "refused") ? "refused" : "told";
}

/** Returns how long cells will take at least, and why, if the application shows outcomes late or does not say whose they are. */
export function explainSlowness(
  cells: readonly Cell[],
  { hasStatusOfEach }: Pick<Application, "hasStatusOfEach">,
  patience: Millis,
): string | undefined {
  if (hasStatusOfEach && patience <= PATIENCE_MILLIS) return undefined;
  const runs = bundle(cells, { areAlone: !hasStatusOfEach }).length;
  const why = hasStatusOfEach
    ? `the application may need ${formatDuration(patience)} after a callback`
    : "status in the app map names no order, so orders are placed one by one";
  const minutes = Math.ceil((runs * patience) / MINUTE);
  return `${why}: at least ${counted(runs, "run")}, about ${minutes} min; the most dangerous faults come first`;
}

/** An application may handle orders one after another, so these are placed last. */
export function isSlow({ faults }: Cell): boolean {
  return faults.some(({ fault }) => fault.isSlow);
}

/** Load above this multiple of the baseline's is that of a busy machine. */
const BUSY = 5;

/** Shorter times than this are no load, but the machine's own jitter. */
const JITTER: Millis = 40;

/** How many orders run in parallel: fewer once the machine is slower than it was in the baseline. */
export class Parallelism {
  #most = MAX_ORDERS;
  #usual: Millis = JITTER;
  #highest: Millis = 0;
  #isQueued = false;

  noteBaseline(run: CellRun): CellRun {
    this.#usual = Math.max(this.#usual, run.loadMillis);
    return run;
  }

  note({ loadMillis }: Pick<CellRun, "loadMillis">): void {
    if (loadMillis <= BUSY * this.#usual) return;
    this.#highest = Math.max(this.#highest, loadMillis);
    this.#halve();
  }

  #halve(): void {
    this.#most = Math.max(1, Math.floor(this.#most / 2));
  }

  /** Notes what a run showed, and what was left of it once its orders were alone. */
  noteConfirmed({ results }: CellRun, confirmed: readonly CellResult[]): readonly CellResult[] {
    const isQueued = results.some(
      ({ defect }, index) =>
        defect !== undefined && isQueueDependent(defect.id) && confirmed[index]?.defect === undefined,
    );
    if (isQueued) this.#halve();
    this.#isQueued ||= isQueued;
    return confirmed;
  }

  split({ kind, cells }: Bundle): Bundle[] {
    return chunks(cells, this.#most).map((some) => ({ kind, cells: some }));
  }

  /** Says what it changed, if anything. */
  describe(): string | undefined {
    const ran = `At most ${counted(this.#most, "order")} ran at once in the end`;
    if (this.#isQueued) return `${ran}: beside others, the application answered late or not at all; alone, it did not.`;
    if (this.#highest === 0) return undefined;
    const [slow, usual] = [this.#highest, this.#usual].map((load) => formatDuration(Math.round(load)));
    return `${ran}: the machine was busy, and a pause and a bare request took ${slow} longer than planned (in the baseline at most ${usual}).`;
  }
}

function chunks(cells: readonly Cell[], size: number): Cell[][] {
  return cells.length === 0 ? [] : [cells.slice(0, size), ...chunks(cells.slice(size), size)];
}

/** Pairs an order that fails with one that is delivered, in alternating order, to catch an application that mixes them up. */
function mixedPairs(cells: readonly Cell[]): Cell[][] {
  const failing = cells.filter((cell) => hasFaultLeaving(cell, "failed"));
  const delivered = cells.filter((cell) => !failing.includes(cell));
  const mixed = cells.flatMap((_, index) => [failing[index] ?? [], delivered[index] ?? []].flat());
  return chunks(mixed, 2).map((pair, index) => (index % 2 === 0 ? pair : pair.toReversed()));
}

function hasFaultLeaving({ faults }: Cell, what: Fault["leaves"]): boolean {
  return faults.some(({ fault }) => fault.leaves === what);
}
