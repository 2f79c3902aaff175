import { computed, signal } from "@preact/signals";
import { route } from "../../route.ts";
import { book } from "../../store.ts";
import { readFilter, sift } from "./filter.ts";

/** What the address asks for. */
export const filter = computed(() => readFilter(route.value.query));

/** The account's rows as the address asks for them, sorted out once for each change. */
export const found = computed(() => sift(book.value?.book.rows ?? [], filter.value));

/** The request_id of the row where the keyboard is, or was last. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
export const wantedRow = signal<string | undefined>(undefined);
