import type { AccountReading, Row } from "./account-reading.ts";

/** Which rows a view shows. */
export interface RowQuestion<Facet extends string> {
  /** Returns the values that a row is counted by, or undefined if it is neither shown nor counted. */
  readonly facetsOf: (row: Row) => Facets<Facet> | undefined;
  /** What a row adds to the counts; 1 unless told otherwise. */
  readonly weigh?: (row: Row) => number;
  /** The wanted value of each facet; "" for any. */
  readonly asked: ReadonlyMap<Facet, string>;
}

/** A row can have several values of a facet, or none. */
type Facets<Facet extends string> = Readonly<Record<Facet, readonly string[]>>;

/** Maps each value of a facet to the number of rows with it that match all other facets; "" counts all of them. */
type Counts = ReadonlyMap<string, number>;

/** What is known about a row. */
interface Known<Facet extends string> {
  readonly facets: Facets<Facet>;
  readonly weight: number;
  readonly isShown: boolean;
}

/** With more changes than this, reading all rows is cheaper than inserting each one. */
const MOST_IN_PLACE = 2_000;

/** The rows of an account that match a question, newest first. After the first read, it checks only rows that have changed. */
export class RowReading<Facet extends string> {
  readonly #rows: Row[] = [];
  readonly #question: RowQuestion<Facet>;
  readonly #known = new Map<Row, Known<Facet>>();
  readonly #counts = new Map<Facet, Map<string, number>>();
  #account: AccountReading | undefined;
  #read = 0;

  constructor(question: RowQuestion<Facet>) {
    this.#question = question;
  }

  /** Applies the account's changes. */
  refresh(account: AccountReading): void {
    const changed = account === this.#account ? account.changedSince(this.#read) : undefined;
    this.#account = account;
    this.#read = account.changes;
    if (changed === undefined || changed.size > MOST_IN_PLACE) return this.#readAll(account);
    const oldest = account.rows[0]?.place ?? Infinity;
    for (const row of changed) this.#replace(row, row.place < oldest ? undefined : this.#look(row));
  }

  /** The matching rows, as a new array, so that callers can compare it with the previous one. */
  get rows(): readonly Row[] {
    return [...this.#rows];
  }

  counts(facet: Facet): Counts {
    return this.#counts.get(facet) ?? new Map();
  }

  #readAll(account: AccountReading): void {
    this.#known.clear();
    this.#counts.clear();
    this.#rows.length = 0;
    for (const row of account.rows) {
      const known = this.#look(row);
      if (known !== undefined) this.#learn(row, known);
      if (known?.isShown) this.#rows.push(row);
    }
    this.#rows.reverse();
  }

  #look(row: Row): Known<Facet> | undefined {
    const facets = this.#question.facetsOf(row);
    if (facets === undefined) return undefined;
    const weight = this.#question.weigh?.(row) ?? 1;
    return { facets, weight, isShown: [...this.#question.asked.keys()].every((facet) => this.#meets(facets, facet)) };
  }

  #meets(facets: Facets<Facet>, facet: Facet): boolean {
    const asked = this.#question.asked.get(facet) ?? "";
    return asked === "" || facets[facet].includes(asked);
  }

  #replace(row: Row, known: Known<Facet> | undefined): void {
    const before = this.#known.get(row);
    const stays = before?.isShown && known?.isShown;
    if (before !== undefined) this.#forget(row, before, !stays);
    if (known === undefined) return;
    this.#learn(row, known);
    if (known.isShown && !stays) this.#rows.splice(this.#placeOf(row), 0, row);
  }

  #forget(row: Row, known: Known<Facet>, leaves: boolean): void {
    if (known.isShown && leaves) this.#rows.splice(this.#placeOf(row), 1);
    this.#count(known, -known.weight);
    this.#known.delete(row);
  }

  #learn(row: Row, known: Known<Facet>): void {
    this.#known.set(row, known);
    this.#count(known, known.weight);
  }

  /** Adds a row to a facet's counts if it matches all other facets. */
  #count({ facets }: Known<Facet>, by: number): void {
    const asked = [...this.#question.asked.keys()];
    for (const facet of asked) {
      if (!asked.every((other) => other === facet || this.#meets(facets, other))) continue;
      const counts = this.#counts.get(facet) ?? new Map<string, number>();
      this.#counts.set(facet, counts);
      for (const value of ["", ...facets[facet]]) counts.set(value, (counts.get(value) ?? 0) + by);
    }
  }

  /** Returns the index of a row, or the index to insert it at. */
  #placeOf({ place }: Row): number {
    let [from, to] = [0, this.#rows.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#rows[middle]?.place ?? 0) > place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A reader's position in a list that grows at its end. */
export class Cursor<Item> {
  #read = 0;
  #last: Item | undefined;

  /** Returns what was added since the last read, or the whole list if it was replaced or cut at its beginning. */
  read(items: readonly Item[]): { readonly goesOn: boolean; readonly added: readonly Item[] } {
    const goesOn = this.#read > 0 && items[this.#read - 1] === this.#last;
    const added = items.slice(goesOn ? this.#read : 0);
    this.#read = items.length;
    this.#last = items.at(-1);
    return { goesOn, added };
  }
}
