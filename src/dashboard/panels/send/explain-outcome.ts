import type { Row } from "../../live/book.ts";
import type { Outcome } from "./outcome.ts";

/** One sentence on what a lost connection means: the client sees less than the journal. Nothing where the answer says it all. */
export function explainOutcome(outcome: Outcome, rows: readonly Row[]): string | undefined {
  if (outcome.is === "answered") return undefined;
  const [row] = rows;
  if (outcome.is === "waiting") return row === undefined ? undefined : "The journal has it already.";
  if (outcome.is === "given up")
    return row === undefined ? "Nothing is known of it." : "The client has gone; what the journal has goes on without it.";
  if (row === undefined) return "Nothing came back, and the journal has no such request. Is the sandbox still running?";
  return `${sayBreak(outcome, row)}${sayRepeats(rows)}`;
}

function sayBreak({ body, answer }: Outcome & { readonly is: "broken" }, { transaction, request }: Row): string {
  const breakage = request.directed?.breakage;
  const cause = breakage === undefined ? "" : ` (${breakage}, as a scenario says)`;
  const when =
    answer === undefined ? "before an answer came" : `after ${body.length} ${body.length === 1 ? "character" : "characters"} of the answer`;
  if (transaction === undefined)
    return `The connection broke ${when}${cause}. It was not accepted, no money moved; a client cannot know that.`;
  return `The connection broke ${when}${cause}. It was accepted all the same and its price is held; a client that sends it again pays twice.`;
}

/** Browsers send a request again by themselves when a connection that was kept open breaks. */
function sayRepeats({ length }: readonly Row[]): string {
  return length > 1 ? ` This browser sent it ${length} times by itself, as some clients do.` : "";
}
