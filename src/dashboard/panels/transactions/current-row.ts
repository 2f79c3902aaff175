import { signal } from "@preact/signals";

/** The request_id of the row where the keyboard is, or was last. */
export const currentRow = signal<string | undefined>(undefined);

/** The row that takes the focus as soon as it is drawn. */
export const wantedRow = signal<string | undefined>(undefined);
