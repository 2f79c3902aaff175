import type { Attempt, TransactionDetail } from "../../../../control/client/shapes.ts";

/** Something that happened, or will happen, to a transaction. Times are ISO strings, as in the control API. */
export type Step =
  | { readonly kind: "accepted" | "planned" | "held" | "settled" | "charged"; readonly at: string }
  | { readonly kind: "told"; readonly at: string; readonly title: string; readonly text: string }
  | { readonly kind: "attempted"; readonly at: string; readonly attempt: Attempt }
  | { readonly kind: "coming"; readonly title: string; readonly text: string };

/** Returns the steps of a transaction, from the request to what is still to come. */
export function stepsOf(detail: TransactionDetail): Step[] {
  const { accepted_at: at, attempts } = detail;
  const untold = [...attempts];
  const later = detail.timeline.flatMap((entry) => stepsLater(entry, untold));
  return [{ kind: "accepted", at }, { kind: "planned", at }, { kind: "held", at }, ...later, ...comingOf(detail)];
}

/** Relies on both lists having the attempts in the same order. */
function stepsLater({ at, event, text }: TransactionDetail["timeline"][number], untold: Attempt[]): Step[] {
  if (event === "client-left") return [{ kind: "told", at, title: "Client left", text }];
  if (event === "resend-requested") return [{ kind: "told", at, title: "Resend", text }];
  if (event === "attempt-begun") return [{ kind: "told", at, title: "Callback attempt started", text }];
  if (event === "settled")
    return [
      { kind: "settled", at },
      { kind: "charged", at },
    ];
  const attempt = event === "attempted" ? untold.shift() : undefined;
  return attempt === undefined ? [] : [{ kind: "attempted", at, attempt }];
}

function comingOf({ state, callback, attempts }: TransactionDetail): Step[] {
  if (state === "queued") return [{ kind: "coming", title: "Carrier", text: "The result is on its way." }];
  if (state === "stuck")
    return [{ kind: "coming", title: "Carrier", text: "A scenario withholds the result. Settle it manually." }];
  if (callback.state === "pending" || callback.state === "in_flight")
    return [{ kind: "coming", title: "Callback", text: callback.explanation }];
  return attempts.length === 0 ? [{ kind: "coming", title: "Callback", text: callback.explanation }] : [];
}
