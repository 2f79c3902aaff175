import { Fragment, type ComponentChildren, type JSX, type RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ShippedScenario } from "../../../control/client/shapes.ts";
import { type Fault, FAULT_GROUPS, FAULTS, writeFault } from "../../../verdict/faults.ts";
import { sandbox } from "../../api/sandbox.ts";
import { ActionButton } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { runAction } from "../../parts/notices.tsx";
import { CopyButton } from "../../parts/parts.tsx";
import { currentRoute, hrefOf, setQuery } from "../../base/route.ts";
import { account } from "../../live/store.ts";
import { listMagicNumbers } from "../../actions/draft.ts";
import { nameOf, startFault } from "../../actions/next-faults.ts";
import { openDraft } from "./draft.ts";
import { EndButton, StartButton } from "./start-and-end.tsx";

/** Everything that can be made to fail: the shipped scenarios, and each fault with its magic number. */
export function Library({ shipped }: { readonly shipped: readonly ShippedScenario[] }): JSX.Element {
  const { text = "" } = currentRoute.value.query;
  const words = text.toLowerCase().split(/\s+/);
  const isFound = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.join(" ").toLowerCase().includes(word));
  const running = account.value?.reading.state?.scenarios ?? [];
  /** The active magic numbers, by the fault that each plays. */
  const numbers = new Map(listMagicNumbers(running).map(({ does, phoneNumber }) => [does, phoneNumber]));
  /** By its names, what happens, its number, and its effects as in a scenario. */
  const isFoundFault = (fault: Fault): boolean =>
    isFound(nameOf(fault), fault.group, numbers.get(fault.id) ?? "", JSON.stringify(writeFault(fault)));
  const groups: readonly (readonly [title: string, lines: readonly JSX.Element[]])[] = [
    ["Scenarios", shipped.filter(({ name, description }) => isFound(name, description)).map(ShippedLine)],
    ...FAULT_GROUPS.map((group) => {
      const faults = FAULTS.filter((fault) => fault.group === group && isFoundFault(fault));
      return [`Faults: ${group}`, faults.map((fault) => FaultLine(fault, numbers.get(fault.id)))] as const;
    }),
  ];
  return (
    <section ref={useSteadyPlace()} class="library stack close" aria-labelledby="failures-library">
      <header class="spread">
        <div class="row">
          <h2 id="failures-library">Library</h2>
          <a class="button small" href={hrefOf({ view: "failures", item: "editor" })}>
            Write a scenario
          </a>
        </div>
        <input
          type="search"
          data-search
          aria-label="Search the library"
          placeholder="Name, number, what happens"
          value={text}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </header>
      {groups.map(
        ([title, lines]) =>
          lines.length > 0 && (
            <Fragment key={title}>
              <h3 class="quiet">{title}</h3>
              <List label={title}>{lines}</List>
            </Fragment>
          ),
      )}
      {groups.every(([, lines]) => lines.length === 0) && <p class="quiet">Nothing contains all of these words.</p>}
    </section>
  );
}

/** Scrolls by what the element above grows or shrinks, so that nothing moves under the hand, unless that is there. */
function useSteadyPlace(): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = place;
    const above = current?.previousElementSibling;
    if (!current || !above) return undefined;
    let top = current.offsetTop;
    const observer = new ResizeObserver(() => {
      if (!above.contains(document.activeElement)) current.offsetParent?.scrollBy(0, current.offsetTop - top);
      top = current.offsetTop;
    });
    observer.observe(above);
    return () => observer.disconnect();
  }, []);
  return place;
}

/** *Start* keeps its place when it becomes *Start again*. */
function ShippedLine({ name, description }: ShippedScenario): JSX.Element {
  const isActive = account.value?.reading.state?.scenarios.some(({ scenario }) => scenario.name === name) === true;
  const read = async (): Promise<string> => (await sandbox().get(`scenarios/${encodeURIComponent(name)}`)).text;
  return (
    <Line key={name} name={name} words={description} read={read}>
      {isActive && <EndButton name={name} word="End" />}
      <StartButton name={name} word={isActive ? "Start again" : "Start"} />
    </Line>
  );
}

/** A fault of the account has no next request: it happens at once. */
function FaultLine(fault: Fault, number: string | undefined): JSX.Element {
  const scenario = writeFault(fault);
  const read = async (): Promise<string> => JSON.stringify(scenario, undefined, 2);
  const what = scenario.description ?? fault.words;
  const words = number === undefined ? what : `${what} Number ${number}.`;
  const [act, acts] = "then" in fault ? ["Fail next", "Fail next request"] : ["Start", "Start"];
  return (
    <Line key={fault.id} name={fault.id} words={words} read={read}>
      <ActionButton class="button small accent" onAct={() => startFault(fault.id)} aria-label={`${acts}: ${fault.id}`}>
        {act}
      </ActionButton>
    </Line>
  );
}

interface LineProps {
  readonly name: string;
  readonly words: string;
  /** Reads its text when it is opened. */
  readonly read: () => Promise<string>;
  readonly children: ComponentChildren;
}

function Line({ name, words, read, children }: LineProps): JSX.Element {
  const [text, setText] = useState<string>();
  const toggle = (isOpen: boolean): Promise<boolean> =>
    runAction(async () => setText(isOpen ? await read() : undefined));
  const edit = (): void => openDraft(text ?? "");
  return (
    <li class="line">
      <details onToggle={({ currentTarget }) => void toggle(currentTarget.open)}>
        <summary title={words}>
          <span>{name}</span> <span class="quiet">{words}</span>
        </summary>
      </details>
      <span class="row">{children}</span>
      {text !== undefined && (
        <div class="stack close">
          <div class="row">
            <button type="button" class="button small" aria-label={`Edit a copy of ${name}`} onClick={edit}>
              Edit a copy
            </button>
            <CopyButton text={text} label={`the text of ${name}`} />
          </div>
          <pre tabIndex={0} aria-label={`The text of ${name}`}>
            {text}
          </pre>
        </div>
      )}
    </li>
  );
}
