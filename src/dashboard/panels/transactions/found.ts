import { computed } from "@preact/signals";
import { route } from "../../route.ts";
import { book } from "../../store.ts";
import { readFilter, sift } from "./filter.ts";

/** What the address asks for. */
export const filter = computed(() => readFilter(route.value.query));

/** The account's rows as the address asks for them, sorted out once for each change. */
export const found = computed(() => sift(book.value?.book.rows ?? [], filter.value));
