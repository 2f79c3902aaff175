import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { Badge, Moment } from "../../parts/parts.tsx";
import { RuleRow } from "./rule-row.tsx";
import type { RuleWords } from "./rule-words.ts";
import type { Running, RunningStep } from "./running.ts";

export interface ScenarioCardProps {
  readonly scenario: Running;
  readonly consumerKey: string;
  readonly wordsOf: (rule: string) => RuleWords | undefined;
  readonly firedOf: (rule: string) => number;
}

/** More rules than that begin folded. */
const RULES_IN_SIGHT = 8;

export function ScenarioCard(card: ScenarioCardProps): JSX.Element {
  const { scenario, consumerKey } = card;
  const { name, description, since, state, rules, steps } = scenario;
  const heading = useId();
  const path = `scenarios/${encodeURIComponent(name)}`;
  const end = (): void => void attempt(() => accountClient(consumerKey).delete(path), `${name} is over.`);
  return (
    <article class="card scenario-card" aria-labelledby={heading}>
      <header>
        <div class="row">
          <h2 id={heading}>
            <bdi>{name}</bdi>
          </h2>
          {state !== undefined && (
            <Badge tone="warm">
              in state <bdi>{state}</bdi>
            </Badge>
          )}
          <span class="quiet">
            since <Moment at={since} />
          </span>
        </div>
        <button type="button" class="button small" aria-label={`End ${name}`} onClick={end}>
          End
        </button>
      </header>
      {description !== "" && <p dir="auto">{description}</p>}
      {rules.length > 0 && <Rules {...card} />}
      {steps.length > 0 && <Timeline name={name} steps={steps} />}
    </article>
  );
}

function Rules({ scenario: { name, rules }, consumerKey, wordsOf, firedOf }: ScenarioCardProps): JSX.Element {
  const switchRule = (rule: string, on: boolean): Promise<boolean> =>
    attempt(() => accountClient(consumerKey).patch(`scenarios/${encodeURIComponent(name)}`, { rule, on }));
  return (
    <details class="scenario-rules" open={rules.length <= RULES_IN_SIGHT}>
      <summary>{rules.length === 1 ? "1 rule" : `${rules.length} rules`}</summary>
      <ul aria-label={`Rules of ${name}`}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.name}
            rule={rule}
            words={wordsOf(rule.name)}
            fired={firedOf(rule.name)}
            scenario={name}
            onSwitch={(on) => switchRule(rule.name, on)}
          />
        ))}
      </ul>
    </details>
  );
}

function Timeline({ name, steps }: { readonly name: string; readonly steps: readonly RunningStep[] }): JSX.Element {
  return (
    <div class="scenario-timeline">
      <h3>Timeline</h3>
      <ol aria-label={`Timeline of ${name}`}>
        {steps.map(({ at, text, isDone }, index) => (
          <li key={index} class={isDone ? "done" : "coming"}>
            <Moment at={at} />
            <span>
              <bdi>{text}</bdi>
            </span>
            <Badge tone={isDone ? "good" : "plain"}>{isDone ? "done" : "to come"}</Badge>
          </li>
        ))}
      </ol>
    </div>
  );
}
