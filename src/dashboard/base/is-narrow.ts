import { signal } from "@preact/signals";

const narrow = matchMedia("(width < 48rem)");

/** Whether the page is as narrow as a phone, so that what is rarely used makes room. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener("change", () => void (isNarrow.value = narrow.matches));
