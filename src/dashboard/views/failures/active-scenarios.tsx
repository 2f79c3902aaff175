import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ActiveScenarioJson, ActiveScenarios as ActiveScenarioList } from "../../../control/client/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import type { Row } from "../../live/account-reading.ts";
import { useFollowed } from "../../live/refresher.ts";
import { ActionButton } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { attempt } from "../../parts/notices.tsx";
import { Badge, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { account, accountKey, isCut } from "../../store.ts";
import { openDraft } from "./draft.ts";
import { EndButton } from "./start-and-end.tsx";

export function ActiveScenarios({ scenarios, fired }: Active): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  return (
    <section class="stack" aria-labelledby="failures-active">
      <header class="spread">
        <h2 id="failures-active">Active scenarios</h2>
        <div class="row">
          <a class="button small" href={hrefOf({ view: "failures", item: "editor" })}>
            Write a scenario
          </a>
          {scenarios.length > 1 && <EndButton consumerKey={consumerKey} />}
        </div>
      </header>
      {scenarios.length === 0 && <p class="quiet">None: nothing goes wrong.</p>}
      {scenarios.length > 1 && <p class="quiet">Rules are tried from the top. The first one that fires decides.</p>}
      {scenarios.map((scenario) => (
        <ScenarioCard key={scenario.name} scenario={scenario} consumerKey={consumerKey} fired={fired} />
      ))}
    </section>
  );
}

interface Active {
  readonly scenarios: readonly ActiveScenarioJson[];
  /** How often each rule has fired since its scenario began, by scenario and rule. */
  readonly fired: ReadonlyMap<string, number>;
}

/** Reads the active scenarios whenever the journal has grown. Returns undefined until they are read. */
export function useActive(consumerKey: string): Active | undefined {
  return useFollowed(
    consumerKey,
    () => account.value,
    async () => {
      const { items } = await accountClient(consumerKey).get<ActiveScenarioList>("scenarios");
      return { scenarios: items, fired: countFired(account.peek()?.reading.rows ?? [], items) };
    },
  );
}

function countFired(
  rows: readonly Pick<Row, "request">[],
  scenarios: readonly Pick<ActiveScenarioJson, "name" | "since">[],
): ReadonlyMap<string, number> {
  const begun = new Map(scenarios.map(({ name, since }) => [name, Date.parse(since)]));
  const counts = new Map<string, number>();
  for (const { request } of rows)
    for (const { scenario, rule } of request.rules?.fired ?? [])
      if (request.at >= (begun.get(scenario) ?? Infinity))
        counts.set(`${scenario}: ${rule}`, (counts.get(`${scenario}: ${rule}`) ?? 0) + 1);
  return counts;
}

interface ScenarioCardProps {
  readonly scenario: ActiveScenarioJson;
  readonly consumerKey: string;
  readonly fired: Active["fired"];
}

/** With more rules than this, the list starts collapsed. */
const RULES_IN_SIGHT = 8;

function ScenarioCard({ scenario, consumerKey, fired }: ScenarioCardProps): JSX.Element {
  const { name, description, rules, timeline } = scenario;
  const heading = useId();
  return (
    <article class="card stack" aria-labelledby={heading}>
      <CardHeader scenario={scenario} consumerKey={consumerKey} heading={heading} />
      {description !== undefined && <p dir="auto">{description}</p>}
      {rules.length > 0 && (
        <details open={rules.length <= RULES_IN_SIGHT}>
          <summary>{counted(rules.length, "rule")}</summary>
          <List label={`Rules of ${name}`}>
            {rules.map((rule) => (
              <RuleRow
                key={rule.name}
                rule={rule}
                scenario={scenario}
                consumerKey={consumerKey}
                fired={fired.get(`${name}: ${rule.name}`) ?? 0}
              />
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

interface CardHeaderProps extends Omit<ScenarioCardProps, "fired"> {
  /** The id of the heading. */
  readonly heading: string;
}

function CardHeader({ scenario: { name, since }, consumerKey, heading }: CardHeaderProps): JSX.Element {
  const edit = async (): Promise<void> => {
    const path = `scenarios/${encodeURIComponent(name)}`;
    openDraft((await accountClient(consumerKey).get<{ text: string }>(path)).text, name);
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
        <EndButton consumerKey={consumerKey} name={name} />
      </div>
    </header>
  );
}

interface RuleRowProps {
  readonly rule: ActiveScenarioJson["rules"][number];
  readonly scenario: ActiveScenarioJson;
  readonly consumerKey: string;
  readonly fired: number;
}

function RuleRow({ rule, scenario, consumerKey, fired }: RuleRowProps): JSX.Element {
  const { name, is, when, effects } = rule;
  const flip = async (box: HTMLInputElement): Promise<void> => {
    const on = box.checked;
    const change = { rule: name, on };
    const path = `scenarios/${encodeURIComponent(scenario.name)}`;
    // The journal reports a successful switch. After a rejected one, the box returns to the rule's state.
    if (!(await attempt(() => accountClient(consumerKey).patch(path, change)))) box.checked = !on;
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
      <FiredCount fired={fired} search={`${scenario.name}: ${name}`} />
    </li>
  );
}

function FiredCount({ fired, search }: { readonly fired: number; readonly search: string }): JSX.Element {
  if (fired === 0)
    return <span class="quiet">{isCut() ? "not fired by the requests still in the journal" : "not fired yet"}</span>;
  return (
    <a href={hrefOf({ view: "requests", query: { text: search } })}>
      fired {isCut() && "at least "}
      {fired.toLocaleString("en")}×
    </a>
  );
}
