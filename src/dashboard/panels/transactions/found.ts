import { computed, signal } from "@preact/signals";
import { RowReading } from "../../live/row-reading.ts";
import { route } from "../../route.ts";
import { account } from "../../store.ts";
import { readFilter, readSort, rowQuestion } from "./filter.ts";

/** What the address asks for; a text, so that opening a row asks for nothing else. */
const asked = computed(() => JSON.stringify([readFilter(route.value.query), route.value.query["sort"]]));

export const filter = computed(() => (void asked.value, readFilter(route.peek().query)));

export const sort = computed(() => (void asked.value, readSort(route.peek().query["sort"])));

const reading = computed(() => new RowReading(rowQuestion(filter.value, sort.value)));

/** The account's rows as the address asks for them. */
export const found = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current, 0);
  const counts = { state: value.counts("state"), operation: value.counts("operation"), carrier: value.counts("carrier") };
  return { rows: value.rows, counts, total: current?.rows.length ?? 0 };
});

/** The request_id of the row where the keyboard is, or was last. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
export const wantedRow = signal<string | undefined>(undefined);
