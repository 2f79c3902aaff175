import type { JSX } from "preact";
import { showKes } from "../../../gateway/domain/kes.ts";
import { hrefOf } from "../../route.ts";
import { atRisk } from "./found.ts";

const SAYS = {
  unknown: "sold that your backend does not know of",
  held: "held for ever",
  twice: "sold twice",
} as const;

/** What costs money, in one line; each figure leads to its orders. Nothing is shown if there is nothing at risk. */
export function MoneyAtRisk(): JSX.Element | null {
  const { value } = atRisk;
  if (value.length === 0) return null;
  return (
    <ul class="row at-risk" aria-label="Money at risk">
      {value.map(({ problem, amount }) => (
        <li key={problem}>
          <a class="number" href={hrefOf({ view: "requests", query: { problem } })}>
            KES {showKes(amount)}
          </a>{" "}
          {SAYS[problem]}
        </li>
      ))}
    </ul>
  );
}
