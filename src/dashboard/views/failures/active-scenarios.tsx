import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ActiveScenarioJson } from "../../../control/client/shapes.ts";
import { active, describeWaiting } from "../../actions/next-faults.ts";
import { ActionButton } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { runAction } from "../../parts/notices.tsx";
import { Badge, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../base/route.ts";
import { account, shownClient } from "../../live/store.ts";
import { openDraft } from "./draft.ts";
import { EndButton } from "./start-and-end.tsx";

/** What goes wrong now, in lines. A fault that has met all its requests does nothing any more, so it is left out. */
export function ActiveScenarios({ scenarios }: { readonly scenarios: readonly ActiveScenarioJson[] }): JSX.Element {
  const shown = scenarios.filter(({ name }) => faultOf(name)?.left !== 0);
  return (
    <section class="active stack close" aria-labelledby="failures-active">
      <header class="spread">
        <h2 id="failures-active">Active scenarios</h2>
        {shown.length > 1 && <EndButton word="End all" />}
      </header>
      <List label="Active scenarios">
        {shown.map((scenario) => (
          <li key={scenario.name}>
            <ScenarioLine scenario={scenario} />
          </li>
        ))}
      </List>
      <p class="quiet">
        {shown.length === 0 && "None: nothing goes wrong. Start a scenario, or fail the next request."}
        {shown.length > 1 && "Rules are tried from the top. The first one that fires decides."}
      </p>
    </section>
  );
}

function faultOf(scenario: string): (typeof active.value)[number] | undefined {
  return active.value.find((one) => one.scenario === scenario);
}

function ScenarioLine({ scenario }: { readonly scenario: ActiveScenarioJson }): JSX.Element {
  const { name, since, rules } = scenario;
  const [isOpen, setOpen] = useState(false);
  const fault = faultOf(name);
  const words = fault === undefined ? name : describeWaiting(fault);
  return (
    <article class="line" aria-label={name}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary title={words}>
          <bdi>{words}</bdi>{" "}
          <span class="quiet">
            since <Moment at={Date.parse(since)} isShort />
          </span>
        </summary>
      </details>
      <span class="row">
        {fault === undefined && rules.length > 0 && <Fired scenario={name} rules={rules} />}
        <EndButton name={name} word={fault === undefined ? "End" : "Cancel"} />
      </span>
      {isOpen && <Opened scenario={scenario} />}
    </article>
  );
}

function Opened({ scenario }: { readonly scenario: ActiveScenarioJson }): JSX.Element {
  const { name, description, rules, timeline } = scenario;
  const edit = async (): Promise<void> => {
    const { text } = await shownClient().get(`scenarios/${encodeURIComponent(name)}`);
    openDraft(text, name);
  };
  return (
    <div class="stack close">
      <div class="row">
        <ActionButton class="button small" aria-label={`Edit ${name}`} onAct={edit}>
          Edit
        </ActionButton>
        <span dir="auto">{description}</span>
      </div>
      <List label={`Rules of ${name}`}>
        {rules.map((rule) => (
          <RuleRow key={rule.name} rule={rule} scenario={name} />
        ))}
      </List>
      <List label={`Timeline of ${name}`}>
        {timeline.map(({ at, action, is }, index) => (
          <li key={index} class="line">
            <bdi>{action}</bdi>
            <span class="row">
              <Moment at={Date.parse(at)} />
              <Badge tone={is === "done" ? "good" : "plain"}>{is}</Badge>
            </span>
          </li>
        ))}
      </List>
    </div>
  );
}

type Rule = ActiveScenarioJson["rules"][number];

function RuleRow({ rule, scenario }: { readonly rule: Rule; readonly scenario: string }): JSX.Element {
  const { name, is, when, effects } = rule;
  const flip = async (box: HTMLInputElement): Promise<void> => {
    const on = box.checked;
    const path = `scenarios/${encodeURIComponent(scenario)}` as const;
    // The journal reports a successful switch. After a rejected one, the box returns to the rule's state.
    if (!(await runAction(() => shownClient().patch(path, { rule: name, on })))) box.checked = !on;
  };
  return (
    <li class="line rule">
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={is === "on"}
          onChange={({ currentTarget }) => void flip(currentTarget)}
        />
        <bdi>{name}</bdi>
      </label>
      <Fired scenario={scenario} rules={[rule]} />
      <p class="quiet">
        <code dir="auto">{when === "" ? "every airtime and SMS request" : when}</code> <span aria-label="then">→</span>{" "}
        <span dir="auto">{effects}</span>
      </p>
    </li>
  );
}

/** How often rules have fired; at least so often if the journal no longer contains the first request. */
function Fired({ scenario, rules }: { readonly scenario: string; readonly rules: readonly Rule[] }): JSX.Element {
  const { reading } = account.value ?? {};
  const fired = rules.reduce((sum, { name }) => sum + (reading?.countFired(scenario, name) ?? 0), 0);
  const isCut = (reading?.evicted ?? 0) > 0;
  if (fired === 0) return <span class="quiet">{isCut ? "not fired lately" : "not fired yet"}</span>;
  const text = `${scenario}:${rules.length === 1 ? ` ${rules[0]?.name}` : ""}`;
  return (
    <a href={hrefOf({ view: "requests", query: { text } })}>
      fired {isCut && "at least "}
      {fired.toLocaleString("en")}×
    </a>
  );
}
