import { useEffect, useState } from "preact/hooks";
import type { ActiveScenario as ListedScenario } from "../../../control-client/shapes.ts";
import type { ActiveScenario } from "../../../scenario/active-scenario.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";

/** A rule in the control API's words: which requests it is about, and what it does. */
export type RuleWords = Pick<ListedScenario["rules"][number], "when" | "effects">;

/** Words for the rules of the active scenarios; they are asked for when other scenarios run. */
export function useRuleWords(
  consumerKey: string,
  scenarios: readonly ActiveScenario[],
): (scenario: string, rule: string) => RuleWords | undefined {
  const [words, setWords] = useState<ReadonlyMap<string, RuleWords>>(new Map());
  const running = scenarios.map(({ scenario, since }) => `${scenario.name}@${since}`).join("\n");
  useEffect(() => {
    let isWanted = true;
    void attempt(async () => {
      const { items } = await accountClient(consumerKey).get<{ items: readonly ListedScenario[] }>("scenarios");
      if (isWanted) setWords(new Map(items.flatMap(({ name, rules }) => rules.map((rule) => [`${name}\n${rule.name}`, rule] as const))));
    });
    return () => {
      isWanted = false;
    };
  }, [consumerKey, running]);
  return (scenario, rule) => words.get(`${scenario}\n${rule}`);
}
