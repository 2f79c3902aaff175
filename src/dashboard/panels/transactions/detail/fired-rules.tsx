import type { JSX } from "preact";
import type { Missed } from "../../../../domain/directive.ts";
import { hrefOf } from "../../../route.ts";

export interface FiredRulesProps {
  readonly fired: readonly { readonly scenario: string; readonly rule: string }[];
  readonly missed: Missed | undefined;
}

/** Which rules of scenarios decided, which nearly did, and why it did not. */
export function FiredRules({ fired, missed }: FiredRulesProps): JSX.Element {
  return (
    <>
      {fired.length === 0 ? (
        <p>No rule fired.</p>
      ) : (
        <ul class="stack-s" aria-label="Rules that fired">
          {fired.map(({ scenario, rule }) => (
            <li key={`${scenario} ${rule}`}>
              Rule <strong dir="auto">{rule}</strong> of <ScenarioLink name={scenario} />
            </li>
          ))}
        </ul>
      )}
      {missed !== undefined && (
        <p class="quiet">
          Nearest rule that did not fire: <strong dir="auto">{missed.rule}</strong> of <ScenarioLink name={missed.scenario} />, because{" "}
          <bdi>{missed.difference}</bdi>.
        </p>
      )}
    </>
  );
}

function ScenarioLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a href={hrefOf({ panel: "scenarios", item: name })}>
      <bdi>{name}</bdi>
    </a>
  );
}
