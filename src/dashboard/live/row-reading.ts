import type { Instant } from "../../gateway/domain/time.ts";
import type { AccountReading, Row } from "./account-reading.ts";

/** Which rows a view shows, and in which order. */
export interface RowQuestion<Facet extends string> {
  /** Returns the values that a row is counted by, or undefined if it is neither shown nor counted. */
  readonly facetsOf: (row: Row, now: Instant) => Facets<Facet> | undefined;
  /** The wanted value of each facet; "" for any. */
  readonly asked: ReadonlyMap<Facet, string>;
  /** Defaults to newest first, which is also the order of equal rows. */
  readonly sort?: { readonly valueOf: (row: Row) => string | number; readonly isDescending: boolean };
}

interface Facets<Facet extends string> {
  readonly values: Readonly<Record<Facet, string>>;
  /** When the row's facets change without an event. */
  readonly until?: Instant | undefined;
}

/** Maps each value of a facet to the number of rows with it that match all other facets; "" counts all of them. */
type Counts = ReadonlyMap<string, number>;

/** What is known about a row. */
interface Known<Facet extends string> extends Facets<Facet> {
  readonly isShown: boolean;
  /** The sort key. */
  readonly value: string | number;
}

/** With more changes than this, sorting all rows is cheaper than inserting each one. */
const MOST_IN_PLACE = 2_000;

/** The rows of an account that match a question. After the first read, it checks only rows that have changed. */
export class RowReading<Facet extends string> {
  readonly #rows: Row[] = [];
  readonly #question: RowQuestion<Facet>;
  readonly #known = new Map<Row, Known<Facet>>();
  readonly #counts = new Map<Facet, Map<string, number>>();
  /** Rows whose facets will change without an event. */
  #aging = new Set<Row>();
  #soonest = Infinity;
  #account: AccountReading | undefined;
  #read = 0;

  constructor(question: RowQuestion<Facet>) {
    this.#question = question;
  }

  /** Applies the account's changes up to `now`, on the account's clock. */
  refresh(account: AccountReading, now: Instant): void {
    const changed = account === this.#account ? account.changedSince(this.#read) : undefined;
    this.#account = account;
    this.#read = account.changes;
    if (changed === undefined || changed.size > MOST_IN_PLACE) return this.#readAll(account, now);
    const oldest = account.rows[0]?.place ?? Infinity;
    for (const row of changed) this.#replace(row, row.place < oldest ? undefined : this.#look(row, now));
    if (now >= this.#soonest) this.#age(now);
  }

  /** The matching rows in order, as a new array, so that callers can compare it with the previous one. */
  get rows(): readonly Row[] {
    return [...this.#rows];
  }

  counts(facet: Facet): Counts {
    const counts = this.#counts.get(facet) ?? new Map<string, number>();
    return new Map([...counts, ["", [...counts.values()].reduce((sum, count) => sum + count, 0)]]);
  }

  #readAll(account: AccountReading, now: Instant): void {
    this.#known.clear();
    this.#counts.clear();
    this.#aging.clear();
    this.#soonest = Infinity;
    this.#rows.length = 0;
    for (const row of account.rows) {
      const known = this.#look(row, now);
      if (known !== undefined) this.#learn(row, known);
      if (known?.isShown) this.#rows.push(row);
    }
    this.#rows.reverse();
    if (this.#question.sort !== undefined) this.#rows.sort((one, other) => this.#compare(one, other));
  }

  #look(row: Row, now: Instant): Known<Facet> | undefined {
    const facets = this.#question.facetsOf(row, now);
    if (facets === undefined) return undefined;
    const isShown = [...this.#question.asked.keys()].every((facet) => this.#meets(facets, facet));
    return { ...facets, isShown, value: this.#question.sort?.valueOf(row) ?? 0 };
  }

  #meets({ values }: Facets<Facet>, facet: Facet): boolean {
    const asked = this.#question.asked.get(facet) ?? "";
    return asked === "" || asked === values[facet];
  }

  #replace(row: Row, known: Known<Facet> | undefined): void {
    const before = this.#known.get(row);
    const stays = before?.isShown && known?.isShown && before.value === known.value;
    if (before !== undefined) this.#forget(row, before, !stays);
    if (known === undefined) return;
    this.#learn(row, known);
    if (known.isShown && !stays) this.#rows.splice(this.#placeOf(row), 0, row);
  }

  #forget(row: Row, known: Known<Facet>, leaves: boolean): void {
    if (known.isShown && leaves) this.#rows.splice(this.#placeOf(row), 1);
    this.#count(known, -1);
    this.#known.delete(row);
    this.#aging.delete(row);
  }

  #learn(row: Row, known: Known<Facet>): void {
    this.#known.set(row, known);
    this.#count(known, 1);
    if (known.until === undefined) return;
    this.#aging.add(row);
    this.#soonest = Math.min(this.#soonest, known.until);
  }

  /** Adds a row to a facet's counts if it matches all other facets. */
  #count(known: Known<Facet>, by: 1 | -1): void {
    const { asked } = this.#question;
    for (const facet of asked.keys()) {
      if (![...asked.keys()].every((other) => other === facet || this.#meets(known, other))) continue;
      const counts = this.#counts.get(facet) ?? new Map<string, number>();
      const value = known.values[facet];
      this.#counts.set(facet, counts.set(value, (counts.get(value) ?? 0) + by));
    }
  }

  #age(now: Instant): void {
    const aging = this.#aging;
    this.#aging = new Set();
    this.#soonest = Infinity;
    for (const row of aging) this.#replace(row, this.#look(row, now));
  }

  /** Returns the index of a row in the sorted rows, or the index to insert it at. */
  #placeOf(row: Row): number {
    let [from, to] = [0, this.#rows.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.#rows[middle];
      if (other !== undefined && this.#compare(other, row) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #compare(one: Row, other: Row): number {
    const { sort } = this.#question;
    const [a = 0, b = 0] = sort === undefined ? [] : [this.#known.get(one)?.value, this.#known.get(other)?.value];
    if (a === b) return other.place - one.place;
    return a < b === sort?.isDescending ? 1 : -1;
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
