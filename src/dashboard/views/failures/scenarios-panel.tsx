import type { JSX } from "preact";
import { Panel, Copyable, Empty } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { account, accountKey } from "../../store.ts";
import { ShippedView } from "./shipped-view.tsx";
import { WriteView } from "./write-view.tsx";
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { controlCurl } from "../../api/curl.ts";
import { adminToken } from "../../api/sandbox.ts";
import { EndButton } from "./start-and-end.tsx";
import { FiredTally, runningScenarios } from "./running.ts";
import { useRuleWords, ScenarioCard } from "./scenario-card.tsx";

/** The views, by the item in the URL. */
const VIEWS = [
  { item: undefined, title: "Active", shows: ActiveView },
  { item: "shipped", title: "Shipped", shows: ShippedView },
  { item: "write", title: "Write", shows: WriteView },
] as const;

export function ScenariosPanel(): JSX.Element {
  const { item } = route.value;
  const view = VIEWS.find((view) => view.item === item) ?? VIEWS[0];
  const active = account.value?.reading.state?.scenarios.length ?? 0;
  return (
    <Panel title="Scenarios">
      <div class="scenarios">
        <ul class="tabs" aria-label="Scenarios">
          {VIEWS.map(({ item, title }) => (
            <li key={title}>
              <a
                href={hrefOf({ view: "failures", ...(item !== undefined && { item }) })}
                aria-current={view.item === item ? "page" : undefined}
              >
                {title} {item === undefined && <span class="badge">{active}</span>}
              </a>
            </li>
          ))}
        </ul>
        <view.shows />
      </div>
    </Panel>
  );
}

function ActiveView(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  const tally = useRef(new FiredTally());
  const running = useComputed(() => {
    const state = account.value?.reading.state;
    return state === undefined ? [] : runningScenarios(state);
  });
  const state = account.value?.reading.state;
  if (state !== undefined) tally.current.update(account.value?.reading.rows ?? [], state.scenarios);
  const words = useRuleWords(consumerKey, state?.scenarios ?? []);
  const scenarios = running.value;
  return (
    <div class="stack">
      {scenarios.length > 0 && <Order consumerKey={consumerKey} count={scenarios.length} />}
      {scenarios.map((scenario) => (
        <ScenarioCard
          key={scenario.name}
          scenario={scenario}
          consumerKey={consumerKey}
          wordsOf={(rule) => words(scenario.name, rule)}
          firedOf={(rule) => tally.current.of(scenario.name, rule)}
        />
      ))}
      {scenarios.every(({ name }) => name === MAGIC) && (
        <Next consumerKey={consumerKey} hasMagic={scenarios.length > 0} />
      )}
    </div>
  );
}

/** Active by default. It does nothing until a request uses one of its numbers. */
const MAGIC = "magic-numbers";

function Order({ consumerKey, count }: { readonly consumerKey: string; readonly count: number }): JSX.Element {
  return (
    <div class="spread">
      <p class="quiet">
        {count === 1
          ? "One scenario decides what goes wrong."
          : "Rules are tried from the top. The first one that fires decides."}
      </p>
      <EndButton consumerKey={consumerKey} />
    </div>
  );
}

function Next({ consumerKey, hasMagic }: { readonly consumerKey: string; readonly hasMagic: boolean }): JSX.Element {
  const line = controlCurl({
    origin: location.origin,
    consumerKey,
    path: "scenarios",
    body: { name: "callback-never" },
    needsToken: adminToken.value !== undefined,
  });
  return (
    <Empty title={hasMagic ? "All other numbers behave normally" : "Nothing goes wrong"}>
      <p>
        A scenario says what goes wrong, when and for whom. Start{" "}
        <a href={hrefOf({ view: "failures", item: "shipped" })}>a shipped one</a>,{" "}
        <a href={hrefOf({ view: "failures", item: "write" })}>write or paste one</a>, or start one from a shell:
      </p>
      <Copyable text={line} label="the command" />
    </Empty>
  );
}
