import { computed } from "@preact/signals";
import { RowReading } from "../../live/row-reading.ts";
import { route } from "../../route.ts";
import { account } from "../../store.ts";
import { FACETS, readFilter, rowQuestion } from "./filter.ts";

/** The filter as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify(readFilter(route.value.query)));

export const filter = computed(() => (void asked.value, readFilter(route.peek().query)));

const reading = computed(() => new RowReading(rowQuestion(filter.value)));

/** The account's rows that match the URL, newest first. */
export const found = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current);
  const [problem, operation, carrier] = FACETS.map((facet) => value.counts(facet));
  return { rows: value.rows, counts: { problem, operation, carrier }, total: current?.rows.length ?? 0 };
});
