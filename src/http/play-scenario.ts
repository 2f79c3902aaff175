import type { Moment } from "../account/decide/sell.ts";
import type { AccountState } from "../account/state.ts";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { Refused } from "../domain/refusal.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";

/** Names a scenario, active or shipped, that is asked first about one request alone; read while hints are on. */
const HEADER = "x-kredo-scenario";

/** The moment of a request, with the scenario that it plays. Throws `Refused` 422 for a name that nothing has. */
export function playScenario({ scenarios }: AccountState, moment: Moment, shipped: ScenarioLibrary): Moment {
  const name = moment.gateway.hints ? moment.header(HEADER) : undefined;
  if (name === undefined) return moment;
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  if (active !== undefined) return { ...moment, played: active };
  const scenario = shipped.find(name);
  if (scenario === undefined) throw unknownScenario(name, [...scenarios.map((one) => one.scenario.name), ...shipped.names()]);
  return { ...moment, played: { scenario, since: moment.at, off: [] } };
}

function unknownScenario(name: string, known: readonly string[]): Refused {
  const meant = closestWord(name, known);
  const repair = meant === undefined ? "kredo list names those that are shipped" : `did you mean ${meant}?`;
  const sentence = `No scenario, active or shipped, is called ${quote(name)}.`;
  return new Refused(422, { validationErrors: { [HEADER]: [sentence] }, hint: repair });
}
