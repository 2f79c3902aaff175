import type { Director } from "../domain/directive.ts";
import { createDirector } from "./director.ts";
import { explainMiss } from "./explain-miss.ts";

/** Makes a director that also says which rule was nearest of those that did not fire. */
export function createExplainingDirector(): Director {
  const direct = createDirector();
  return (active, ask) => {
    const directive = direct(active, ask);
    const missed = explainMiss(active, ask, directive);
    return missed === undefined ? directive : { ...directive, missed };
  };
}
