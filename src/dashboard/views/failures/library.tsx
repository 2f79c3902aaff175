import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ShippedScenario } from "../../../control/client/shapes.ts";
import { type Fault, FAULT_GROUPS, FAULTS } from "../../../verdict/faults.ts";
import { sandbox } from "../../api/sandbox.ts";
import { ActionButton } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { runAction } from "../../parts/notices.tsx";
import { Badge, CopyButton } from "../../parts/parts.tsx";
import { useFollowed } from "../../parts/use-followed.ts";
import { currentRoute, setQuery } from "../../base/route.ts";
import { account } from "../../live/store.ts";
import { startFault } from "../../actions/next-faults.ts";
import { openDraft } from "./draft.ts";
import { EndButton, StartButton } from "./start-and-end.tsx";

/** Everything that can be made to fail: each fault with its magic number, and the shipped scenarios. */
export function Library(): JSX.Element {
  const { text = "" } = currentRoute.value.query;
  const words = text.toLowerCase().split(/\s+/);
  const isFound = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.join(" ").toLowerCase().includes(word));
  return (
    <section class="stack" aria-labelledby="failures-library">
      <header class="spread">
        <h2 id="failures-library">Library</h2>
        <input
          type="search"
          data-search
          aria-label="Search the library"
          placeholder="Fault, number, scenario"
          value={text}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </header>
      <Shipped isFound={isFound} />
      <Faults isFound={isFound} />
    </section>
  );
}

interface FoundProps {
  readonly isFound: (...texts: readonly string[]) => boolean;
}

function Faults({ isFound }: FoundProps): JSX.Element {
  const numbers = magicNumbers();
  const found = FAULTS.filter(({ id, words }) => isFound(id, words, numbers.get(id) ?? ""));
  return (
    <>
      <h3>Faults</h3>
      <p class="quiet">One failure of one request. An order to its magic number fails in the same way at any time.</p>
      <List label="Faults">
        {FAULT_GROUPS.flatMap((group) => found.filter((fault) => fault.group === group)).map((fault) => (
          <FaultRow key={fault.id} fault={fault} number={numbers.get(fault.id)} />
        ))}
        {found.length === 0 && <li class="quiet">No fault contains all of these words.</li>}
      </List>
    </>
  );
}

/** The active magic numbers, by the fault that each plays. */
function magicNumbers(): ReadonlyMap<string, string> {
  const active = account.value?.reading.state?.scenarios.find(({ scenario }) => scenario.name === "magic-numbers");
  return new Map(
    active?.scenario.rules?.flatMap(({ name, when }) =>
      typeof when?.phone_number === "string" ? [[name, when.phone_number]] : [],
    ),
  );
}

/** A fault of the account has no next request: it happens at once. */
function FaultRow({ fault, number }: { readonly fault: Fault; readonly number: string | undefined }): JSX.Element {
  const ofRequest = "then" in fault;
  const start = (): Promise<unknown> => startFault(fault.id);
  return (
    <li class="shipped">
      <span>
        <code>{fault.id}</code> <span class="quiet">{fault.words}</span>{" "}
        {number !== undefined && (
          <span class="quiet">
            · <code>{number}</code>
          </span>
        )}
      </span>
      <ActionButton
        class="button small accent"
        onAct={start}
        aria-label={`${ofRequest ? "Fail next request" : "Start"}: ${fault.id}`}
      >
        {ofRequest ? "Fail next" : "Start"}
      </ActionButton>
    </li>
  );
}

function Shipped({ isFound }: FoundProps): JSX.Element {
  const shipped = useFollowed(
    "",
    () => undefined,
    async () => (await sandbox().get("scenarios")).items,
  );
  const active = new Set(account.value?.reading.state?.scenarios.map(({ scenario }) => scenario.name));
  const found = shipped?.filter(({ name, description }) => isFound(name, description));
  return (
    <List label="Shipped scenarios">
      {found?.map((scenario) => (
        <ShippedRow key={scenario.name} scenario={scenario} isActive={active.has(scenario.name)} />
      ))}
      {found?.length === 0 && <li class="quiet">No shipped scenario contains all of these words.</li>}
    </List>
  );
}

interface ShippedRowProps {
  readonly scenario: ShippedScenario;
  readonly isActive: boolean;
}

/** A shipped scenario, whose text is read when it is unfolded. */
function ShippedRow({ scenario: { name, description }, isActive }: ShippedRowProps): JSX.Element {
  const [text, setText] = useState<string>();
  const read = (): Promise<boolean> =>
    runAction(async () => setText((await sandbox().get(`scenarios/${encodeURIComponent(name)}`)).text));
  return (
    <li class="shipped">
      <details onToggle={({ currentTarget }) => void (currentTarget.open && text === undefined && read())}>
        <summary>
          <strong>{name}</strong> {isActive && <Badge tone="good">active</Badge>}{" "}
          <span class="quiet">{description}</span>
        </summary>
        {text !== undefined && (
          <>
            <div class="row">
              <button
                type="button"
                class="button small"
                aria-label={`Edit a copy of ${name}`}
                onClick={() => openDraft(text)}
              >
                Edit a copy
              </button>
              <CopyButton text={text} label={`the text of ${name}`} />
            </div>
            <pre tabIndex={0} aria-label={`The text of ${name}`}>
              {text}
            </pre>
          </>
        )}
      </details>
      <span class="row">
        <StartButton name={name} word={isActive ? "Start again" : "Start"} />
        {isActive && <EndButton name={name} />}
      </span>
    </li>
  );
}
