import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { controlCurl } from "../../api/curl.ts";
import { adminToken } from "../../api/sandbox.ts";
import { Copyable, Empty } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { accountKey, book } from "../../store.ts";
import { downloadRun, writeOnRun } from "./draft.ts";
import { EndButton } from "./ending.tsx";
import { FiredTally } from "./fired-tally.ts";
import { useRuleWords } from "./rule-words.ts";
import { runningScenarios } from "./running.ts";
import { ScenarioCard } from "./scenario-card.tsx";

export function ActiveView(): JSX.Element {
  const consumerKey = accountKey.value ?? "default";
  const tally = useRef(new FiredTally());
  const running = useComputed(() => {
    const state = book.value?.book.state;
    return state === undefined ? [] : runningScenarios(state);
  });
  const state = book.value?.book.state;
  if (state !== undefined) tally.current.update(book.value?.book.rows ?? [], state.scenarios);
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
      {scenarios.every(({ name }) => name === MAGIC) && <Next consumerKey={consumerKey} hasMagic={scenarios.length > 0} />}
      <SaveRun consumerKey={consumerKey} />
    </div>
  );
}

/** Active unless somebody ended it: it does nothing until one of its numbers is asked for. */
const MAGIC = "magic-numbers";

function Order({ consumerKey, count }: { readonly consumerKey: string; readonly count: number }): JSX.Element {
  return (
    <div class="spread">
      <p class="quiet">
        {count === 1 ? "One scenario decides what goes wrong." : "Rules are tried from the top. The first one that fires decides."}
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
        <a href={hrefOf({ panel: "scenarios", item: "shipped" })}>a shipped one</a>,{" "}
        <a href={hrefOf({ panel: "scenarios", item: "write" })}>write or paste one</a>, or start one from a shell:
      </p>
      <Copyable text={line} label="the command" />
    </Empty>
  );
}

function SaveRun({ consumerKey }: { readonly consumerKey: string }): JSX.Element {
  return (
    <section class="card spread" aria-label="Save what happened">
      <div>
        <h2>Save what happened</h2>
        <p class="quiet">As a scenario: the same requests in the same order on a fresh account lead to the same callbacks.</p>
      </div>
      <div class="row">
        <button type="button" class="button" onClick={() => void downloadRun(consumerKey)}>
          Download the run
        </button>
        <button type="button" class="button" onClick={() => void writeOnRun(consumerKey)}>
          Open in the editor
        </button>
      </div>
    </section>
  );
}
