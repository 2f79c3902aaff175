import type { ActiveScenario } from "../../../scenario/active-scenario.ts";
import type { Row } from "../../live/book.ts";

/** How often each rule has fired since its scenario began, counted as rows are added: a row is looked at once. */
export class FiredTally {
  #counts = new Map<string, number>();
  #first: Row | undefined;
  #looked = 0;
  #scenarios: readonly ActiveScenario[] = [];

  /** Looks at the rows that are new; at all of them where other scenarios run, or other rows are kept. */
  update(rows: readonly Row[], scenarios: readonly ActiveScenario[]): void {
    if (rows[0] !== this.#first || rows.length < this.#looked || scenarios !== this.#scenarios) this.#startOver(rows, scenarios);
    const begun = new Map(scenarios.map(({ scenario, since }) => [scenario.name, since]));
    for (; this.#looked < rows.length; this.#looked += 1) this.#count(rows[this.#looked], begun);
  }

  of(scenario: string, rule: string): number {
    return this.#counts.get(keyOf(scenario, rule)) ?? 0;
  }

  #startOver(rows: readonly Row[], scenarios: readonly ActiveScenario[]): void {
    this.#counts = new Map();
    this.#first = rows[0];
    this.#looked = 0;
    this.#scenarios = scenarios;
  }

  #count(row: Row | undefined, begun: ReadonlyMap<string, number>): void {
    for (const { scenario, rule } of row?.request.rules?.fired ?? []) {
      const since = begun.get(scenario);
      if (row === undefined || since === undefined || row.request.at < since) continue;
      const key = keyOf(scenario, rule);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }
}

function keyOf(scenario: string, rule: string): string {
  return `${scenario}\n${rule}`;
}
