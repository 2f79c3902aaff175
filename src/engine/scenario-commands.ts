import {
  loadScenarios,
  type Loaded,
  type RuleSwitch,
  type Swap,
  swapScenario,
  switchRule,
  unloadScenarios,
} from "../account/decide/scenarios.ts";
import type { Account } from "./account.ts";
import { EngineError } from "./engine-error.ts";

/** Begins scenarios on an account: their time counts from now, and their setup is carried out. */
export function beginScenarios(account: Account, loaded: readonly Loaded[]): void {
  account.run((state, at) => ({ events: loaded.length === 0 ? [] : loadScenarios(state, loaded, at), answer: undefined }));
}

/** Ends a scenario, or all of them. Throws a `EngineError`, not found, for one that is not active. */
export function endScenarios(account: Account, name: string | undefined): void {
  account.run((state, at) => {
    const changed = unloadScenarios(state, name, at);
    if (changed === undefined && name !== undefined) throw notActive(`no active scenario is called ${name}`);
    return { events: changed === undefined ? [] : [changed], answer: undefined };
  });
}

/** Puts a scenario in the place of what it was before, where that is active. */
export function swapOnAccount(account: Account, swap: Swap): void {
  account.run((state, at) => {
    const changed = swapScenario(state, swap, at);
    return { events: changed === undefined ? [] : [changed], answer: undefined };
  });
}

/** Switches a rule on or off. Throws a `EngineError`, not found, for a rule that is not there. */
export function setRule(account: Account, wanted: RuleSwitch): void {
  account.run((state, at) => {
    const changed = switchRule(state, wanted, at);
    if (changed === undefined) throw notActive(`no active scenario is called ${wanted.scenario} and has a rule "${wanted.rule}"`);
    return { events: [changed], answer: undefined };
  });
}

function notActive(problem: string): EngineError {
  return new EngineError("not-found", problem, "GET scenarios lists the active ones with their rules");
}
