import type { Row } from "../../live/book.ts";

/** What can have become of a request, in the order of the filter. */
export const ROW_STATES = ["queued", "succeeded", "failed", "stuck", "refused", "cut", "answered"] as const;
export type RowState = (typeof ROW_STATES)[number];

/** What has become of a request: of an accepted one its transaction's state, of any other how it was answered. */
export function stateOf({ request, transaction }: Row): RowState {
  if (transaction !== undefined) return transaction.progress.state;
  if (request.statusCode === 0) return "cut";
  return request.statusCode === 200 ? "answered" : "refused";
}
