import { computed, signal } from "@preact/signals";
import { route } from "../../route.ts";
import { book } from "../../store.ts";
import { filterRows, readFilter, readSort, sortRows } from "./filter.ts";

/** What the address asks for. */
export const filter = computed(() => readFilter(route.value.query));

export const sort = computed(() => readSort(route.value.query["sort"]));

/** The account's rows as the address asks for them, found once for each change. */
export const found = computed(() => {
  const filtered = filterRows(book.value?.book.rows ?? [], filter.value);
  return { ...filtered, rows: sortRows(filtered.rows, sort.value) };
});

/** The request_id of the row where the keyboard is, or was last. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
export const wantedRow = signal<string | undefined>(undefined);
