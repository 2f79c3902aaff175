import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ActiveScenarioJson } from "../../../control/client/shapes.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { useFollowed } from "../../parts/use-followed.ts";
import { ActionButton } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { runAction } from "../../parts/notices.tsx";
import { Badge, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../base/route.ts";
import { account, accountKey, shownClient } from "../../live/store.ts";
import { openDraft } from "./draft.ts";
import { EndButton } from "./start-and-end.tsx";

export function ActiveScenarios({ scenarios }: { readonly scenarios: readonly ActiveScenarioJson[] }): JSX.Element {
  return (
    <section class="stack" aria-labelledby="failures-active">
      <header class="spread">
        <h2 id="failures-active">Active scenarios</h2>
        <div class="row">
          <a class="button small" href={hrefOf({ view: "failures", item: "editor" })}>
            Write a scenario
          </a>
          {scenarios.length > 1 && <EndButton />}
        </div>
      </header>
      {scenarios.length === 0 && <p class="quiet">None: nothing goes wrong.</p>}
      {scenarios.length > 1 && <p class="quiet">Rules are tried from the top. The first one that fires decides.</p>}
      {scenarios.map((scenario) => (
        <ScenarioCard key={scenario.name} scenario={scenario} />
      ))}
    </section>
  );
}

/** Reads the active scenarios whenever the journal has grown. Returns undefined until they are read. */
export function useActive(): readonly ActiveScenarioJson[] | undefined {
  return useFollowed(
    accountKey.value ?? "",
    () => account.value,
    async () => (await shownClient().get("scenarios")).items,
  );
}

interface ScenarioCardProps {
  readonly scenario: ActiveScenarioJson;
}

/** With more rules than this, the list starts collapsed. */
const RULES_IN_SIGHT = 8;

function ScenarioCard({ scenario }: ScenarioCardProps): JSX.Element {
  const { name, description, rules, timeline } = scenario;
  const heading = useId();
  return (
    <article class="card stack" aria-labelledby={heading}>
      <CardHeader scenario={scenario} heading={heading} />
      {description !== undefined && <p dir="auto">{description}</p>}
      {rules.length > 0 && (
        <details open={rules.length <= RULES_IN_SIGHT}>
          <summary>{counted(rules.length, "rule")}</summary>
          <List label={`Rules of ${name}`}>
            {rules.map((rule) => (
              <RuleRow key={rule.name} rule={rule} scenario={scenario} />
            ))}
          </List>
        </details>
      )}
      {timeline.length > 0 && (
        <List label={`Timeline of ${name}`}>
          {timeline.map(({ at, action, is }, index) => (
            <li key={index} class="spread">
              <bdi>{action}</bdi>
              <span class="row">
                <Moment at={Date.parse(at)} />
                <Badge tone={is === "done" ? "good" : "plain"}>{is}</Badge>
              </span>
            </li>
          ))}
        </List>
      )}
    </article>
  );
}

interface CardHeaderProps extends ScenarioCardProps {
  /** The id of the heading. */
  readonly heading: string;
}

function CardHeader({ scenario: { name, since }, heading }: CardHeaderProps): JSX.Element {
  const edit = async (): Promise<void> => {
    const { text } = await shownClient().get(`scenarios/${encodeURIComponent(name)}`);
    openDraft(text, name);
  };
  return (
    <header class="spread">
      <div class="row">
        <h3 id={heading}>
          <bdi>{name}</bdi>
        </h3>
        <span class="quiet">
          since <Moment at={Date.parse(since)} isShort />
        </span>
      </div>
      <div class="row">
        <ActionButton class="button small" aria-label={`Edit ${name}`} onAct={edit}>
          Edit
        </ActionButton>
        <EndButton name={name} />
      </div>
    </header>
  );
}

interface RuleRowProps {
  readonly rule: ActiveScenarioJson["rules"][number];
  readonly scenario: ActiveScenarioJson;
}

function RuleRow({ rule, scenario }: RuleRowProps): JSX.Element {
  const { name, is, when, effects } = rule;
  const flip = async (box: HTMLInputElement): Promise<void> => {
    const on = box.checked;
    const change = { rule: name, on };
    const path = `scenarios/${encodeURIComponent(scenario.name)}` as const;
    // The journal reports a successful switch. After a rejected one, the box returns to the rule's state.
    if (!(await runAction(() => shownClient().patch(path, change)))) box.checked = !on;
  };
  return (
    <li class={`rule ${is}`}>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={is === "on"}
          onChange={({ currentTarget }) => void flip(currentTarget)}
        />
        <bdi>{name}</bdi>
      </label>
      <p class="quiet">
        <code dir="auto">{when === "" ? "every airtime and SMS request" : when}</code> <span aria-label="then">→</span>{" "}
        <span dir="auto">{effects}</span>
      </p>
      <FiredCount scenario={scenario.name} rule={name} />
    </li>
  );
}

/** How often a rule has fired; at least so often if the journal no longer contains the first request. */
function FiredCount({ scenario, rule }: { readonly scenario: string; readonly rule: string }): JSX.Element {
  const { reading } = account.value ?? {};
  const fired = reading?.countFired(scenario, rule) ?? 0;
  const isCut = (reading?.evicted ?? 0) > 0;
  if (fired === 0)
    return <span class="quiet">{isCut ? "not fired by the requests still in the journal" : "not fired yet"}</span>;
  return (
    <a href={hrefOf({ view: "requests", query: { text: `${scenario}: ${rule}` } })}>
      fired {isCut && "at least "}
      {fired.toLocaleString("en")}×
    </a>
  );
}
