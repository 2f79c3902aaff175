import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ShippedScenario, ShippedScenarioText } from "../../../control/client/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { Drawer } from "../../parts/dialogs.tsx";
import { attempt, explain } from "../../parts/notices.tsx";
import { Badge, CopyButton } from "../../parts/parts.tsx";
import { goTo, hrefOf, route, setQuery } from "../../route.ts";
import { account } from "../../store.ts";
import { putDraft } from "./draft.ts";
import { StartButton } from "./start-and-end.tsx";

export function ShippedView(): JSX.Element {
  const { show, text = "" } = route.value.query;
  const shipped = useShipped();
  const active = new Set(account.value?.reading.state?.scenarios.map(({ scenario }) => scenario.name));
  const found = searchShipped(shipped ?? [], text);
  return (
    <div class="stack">
      <input
        type="search"
        data-search
        aria-label="Search the shipped scenarios"
        placeholder="Search names and descriptions"
        value={text}
        onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
      />
      <ul class="shipped card" aria-label="Shipped scenarios">
        {found.map((scenario) => (
          <ShippedRow key={scenario.name} scenario={scenario} isActive={active.has(scenario.name)} />
        ))}
        {shipped !== undefined && found.length === 0 && (
          <li class="quiet">No shipped scenario contains all of these words.</li>
        )}
      </ul>
      {show !== undefined && <ShippedDrawer key={show} name={show} onClose={() => setQuery({ show: "" })} />}
    </div>
  );
}

function useShipped(): readonly ShippedScenario[] | undefined {
  const [shipped, setShipped] = useState<readonly ShippedScenario[]>();
  useEffect(() => {
    void attempt(async () =>
      setShipped((await sandbox().get<{ items: readonly ShippedScenario[] }>("scenarios")).items),
    );
  }, []);
  return shipped;
}

function ShippedRow({
  scenario: { name, description },
  isActive,
}: {
  scenario: ShippedScenario;
  isActive: boolean;
}): JSX.Element {
  const { text = "" } = route.value.query;
  return (
    <li>
      <div>
        <h2>
          <a href={hrefOf({ view: "failures", item: "shipped", query: { text, show: name } })}>{name}</a>{" "}
          {isActive && <Badge tone="good">active</Badge>}
        </h2>
        <p class="quiet">{description}</p>
      </div>
      <StartButton name={name} word={isActive ? "Restart" : "Start"} class="button small" />
    </li>
  );
}

function ShippedDrawer({ name, onClose }: { readonly name: string; readonly onClose: () => void }): JSX.Element {
  const [shipped, setShipped] = useState<ShippedScenarioText>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    sandbox()
      .get<ShippedScenarioText>(`scenarios/${encodeURIComponent(name)}`)
      .then(setShipped, (error: unknown) => setProblem(explain(error)));
  }, [name]);
  return (
    <Drawer title={name} onClose={onClose}>
      {problem !== "" && <p role="alert">{problem}</p>}
      {shipped !== undefined && (
        <>
          <p>{shipped.description}</p>
          <div class="row">
            <StartButton name={name} word="Start" class="button primary" />
            <button type="button" class="button" onClick={() => open(shipped.text)}>
              Open in the editor
            </button>
            <CopyButton text={shipped.text} label={`the text of ${name}`} />
          </div>
          <pre class="shipped-text" tabIndex={0} aria-label={`The text of ${name}`}>
            {shipped.text}
          </pre>
        </>
      )}
    </Drawer>
  );
}

function open(text: string): void {
  putDraft(text);
  goTo({ view: "failures", item: "write" });
}

/** Returns the scenarios whose name or description contains all the words. */
function searchShipped(shipped: readonly ShippedScenario[], written: string): readonly ShippedScenario[] {
  const words = written.toLowerCase().split(/\s+/);
  return shipped.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
