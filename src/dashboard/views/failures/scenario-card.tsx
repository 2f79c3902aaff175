import type { JSX } from "preact";
import { useId, useEffect, useState } from "preact/hooks";
import { accountClient } from "../../api/sandbox.ts";
import { phone, counted } from "../../format.ts";
import { attempt } from "../../parts/notices.tsx";
import { Badge, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { isCut } from "../../store.ts";
import { editRunning } from "./draft.ts";
import { EndButton } from "./start-and-end.tsx";
import type { Counted, Running, RunningRule, RunningStep } from "./running.ts";
import type { ActiveScenarioJson } from "../../../control/client/shapes.ts";
import type { RunningScenario } from "../../../gateway/scenario/running-scenario.ts";

interface ScenarioCardProps {
  readonly scenario: Running;
  readonly consumerKey: string;
  readonly wordsOf: (rule: string) => RuleWords | undefined;
  readonly firedOf: (rule: string) => number;
}

/** With more rules than this, the list starts collapsed. */
const RULES_IN_SIGHT = 8;

export function ScenarioCard(card: ScenarioCardProps): JSX.Element {
  const { scenario, consumerKey } = card;
  const { name, description, since, state, rules, steps } = scenario;
  const heading = useId();
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
        <div class="row">
          <button
            type="button"
            class="button small"
            aria-label={`Edit ${name}`}
            onClick={() => void editRunning(consumerKey, name)}
          >
            Edit
          </button>
          <EndButton consumerKey={consumerKey} name={name} />
        </div>
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
      <summary>{counted(rules.length, "rule")}</summary>
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

interface RuleRowProps {
  readonly rule: RunningRule;
  readonly scenario: string;
  readonly words: RuleWords | undefined;
  readonly fired: number;
  /** Returns whether the rule was switched. */
  readonly onSwitch: (on: boolean) => Promise<boolean>;
}

function RuleRow({ rule, scenario, words, fired, onSwitch }: RuleRowProps): JSX.Element {
  const { name, isOn, counted: counter } = rule;
  const flip = async (box: HTMLInputElement): Promise<void> => {
    const wanted = box.checked;
    // The journal reports a successful switch. After a rejected one, the box returns to the rule's state.
    if (!(await onSwitch(wanted))) box.checked = !wanted;
  };
  return (
    <li class={`rule ${isOn ? "" : "off"}`}>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          onChange={({ currentTarget }) => void flip(currentTarget)}
        />
        <bdi>{name}</bdi>
      </label>
      <p class="rule-words quiet">
        {words !== undefined && (
          <>
            <code dir="auto">{words.when === "" ? "every airtime and SMS request" : words.when}</code>{" "}
            <span aria-label="then">→</span> <span dir="auto">{words.effects}</span>
          </>
        )}
      </p>
      <div class="rule-counts">
        {fired > 0 && (
          <a href={hrefOf({ view: "requests", query: { text: `${scenario}: ${name}` } })}>
            fired {isCut() && "at least "}
            {fired.toLocaleString("en")}×
          </a>
        )}
        {fired === 0 && (
          <span class="quiet">{isCut() ? "not fired by the requests still in the journal" : "not fired yet"}</span>
        )}
        {counter !== undefined && <Counts counter={counter} />}
      </div>
    </li>
  );
}

const SUBJECTS = { phone_number: ["number", "numbers"], sender_id: ["sender ID", "sender IDs"] } as const;

/** How many subjects of a counter are listed. */
const MOST_SUBJECTS = 20;

function Counts({ counter: { per, total, each } }: { readonly counter: Counted }): JSX.Element {
  if (per === "account" || each.length === 0) return <span class="quiet">counted {total.toLocaleString("en")}</span>;
  const [one, many] = SUBJECTS[per];
  return (
    <details class="rule-subjects">
      <summary>
        counted {total.toLocaleString("en")} for {counted(each.length, one, many)}
      </summary>
      <ul>
        {each.slice(0, MOST_SUBJECTS).map(([subject, count]) => (
          <li key={subject}>
            <bdi>{phone(subject)}</bdi> <span class="number">{count}</span>
          </li>
        ))}
        {each.length > MOST_SUBJECTS && <li class="quiet">and {each.length - MOST_SUBJECTS} earlier ones</li>}
      </ul>
    </details>
  );
}

/** A rule in the control API's words: which requests it matches, and what it does. */
type RuleWords = Pick<ActiveScenarioJson["rules"][number], "when" | "effects">;

/** Returns descriptions for the rules of the active scenarios. Requests them when the scenarios change. */
export function useRuleWords(
  consumerKey: string,
  scenarios: readonly RunningScenario[],
): (scenario: string, rule: string) => RuleWords | undefined {
  const [words, setWords] = useState<ReadonlyMap<string, RuleWords>>(new Map());
  const running = scenarios.map(({ scenario, since }) => `${scenario.name}@${since}`).join("\n");
  useEffect(() => {
    let isWanted = true;
    void attempt(async () => {
      const { items } = await accountClient(consumerKey).get<{ items: readonly ActiveScenarioJson[] }>("scenarios");
      if (isWanted)
        setWords(
          new Map(items.flatMap(({ name, rules }) => rules.map((rule) => [`${name}\n${rule.name}`, rule] as const))),
        );
    });
    return () => {
      isWanted = false;
    };
  }, [consumerKey, running]);
  return (scenario, rule) => words.get(`${scenario}\n${rule}`);
}
