import { computed, signal } from "@preact/signals";
import { RowReading } from "../../live/row-reading.ts";
import { route } from "../../route.ts";
import { account } from "../../store.ts";
import { readFilter, readSort, rowQuestion } from "./filter.ts";

/** The filter and order in the URL, as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify([readFilter(route.value.query), route.value.query["sort"]]));

export const filter = computed(() => (void asked.value, readFilter(route.peek().query)));

export const sort = computed(() => (void asked.value, readSort(route.peek().query["sort"])));

const reading = computed(() => new RowReading(rowQuestion(filter.value, sort.value)));

/** The account's rows, filtered and sorted as in the URL. */
export const found = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current, 0);
  const counts = {
    state: value.counts("state"),
    operation: value.counts("operation"),
    carrier: value.counts("carrier"),
  };
  return { rows: value.rows, counts, total: current?.rows.length ?? 0 };
});

/** The request_id of the row that has, or last had, the keyboard focus. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
export const wantedRow = signal<string | undefined>(undefined);
