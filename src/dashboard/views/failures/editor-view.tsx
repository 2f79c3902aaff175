import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScenarioPreview } from "../../../control/client/shapes.ts";
import { saveFile } from "../../api/sandbox.ts";
import { ActionButton } from "../../parts/form.tsx";
import { showNotice } from "../../parts/notices.tsx";
import { goTo, hrefOf, currentRoute } from "../../base/route.ts";
import { accountKey, account, shownClient } from "../../live/store.ts";
import { draft, draftProblems, keepDraft, STARTER } from "./draft.ts";
import { mistakeOf, mistakesOf, underlinedRange } from "./mistakes.ts";
import { ChangeList } from "./start-and-end.tsx";
import { counted } from "../../../gateway/domain/counted.ts";

export function EditorView(): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  const edited = editedName();
  const changes = useCheck();
  const begin = async (): Promise<void> => {
    await submitDraft(edited);
    goToMistake(field.current, 0);
  };
  return (
    <div class="stack close">
      {edited !== undefined && <Edited name={edited} />}
      <div class="spread">
        <div class="row">
          <ActionButton class="button primary" id="submit-draft" onAct={begin}>
            {edited === undefined ? "Start" : "Replace"}
          </ActionButton>
          <Mistakes to={edited === undefined ? "start" : "replace"} />
        </div>
        <DraftButtons field={field} />
      </div>
      <textarea
        ref={field}
        class="scenario-editor"
        aria-label="Scenario in YAML"
        aria-invalid={draftProblems.value.length > 0}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        value={draft.value}
        onInput={({ currentTarget }) => keepDraft(currentTarget.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === "Enter" && (ctrlKey || metaKey)) document.getElementById("submit-draft")?.click();
        }}
      />
      <p class="quiet">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it or replaces the running one. The draft is kept until you close this
        tab.
      </p>
      <MistakeList onGoTo={(index) => goToMistake(field.current, index)} />
      {edited === undefined && changes.length > 0 && (
        <section class="card stack" aria-label="What starting it would do">
          <h2>Starting it changes the account</h2>
          <ChangeList changes={changes} />
        </section>
      )}
    </div>
  );
}

function DraftButtons({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }): JSX.Element {
  const insertExample = (): void => {
    field.current?.select();
    // Unlike setting the value, this can be undone.
    document.execCommand("insertText", false, STARTER);
  };
  return (
    <div class="row">
      <a class="button small" href={hrefOf({ view: "failures" })}>
        All failures
      </a>
      <button type="button" class="button small" onClick={() => saveFile("scenario.yaml", new Blob([draft.value]))}>
        Download
      </button>
      <button type="button" class="button small" onClick={insertExample}>
        Replace with example
      </button>
    </div>
  );
}

/** Selects what a mistake is about, if there is one. */
function goToMistake(field: HTMLTextAreaElement | null, index: number): void {
  const mistake = draftProblems.peek()[index];
  if (field === null || mistake === undefined) return;
  const { from, to } = underlinedRange(field.value, mistake);
  field.setSelectionRange(from, to);
  field.focus();
  // The browser does not scroll to it. All lines are equally high, because none is wrapped.
  field.scrollTop = (field.scrollHeight * mistake.line) / field.value.split("\n").length - field.clientHeight / 2;
}

/** Returns the running scenario that the draft replaces, as named in the URL. */
function editedName(): string | undefined {
  const { edits } = currentRoute.value.query;
  return account.value?.reading.state?.scenarios.find(({ scenario }) => scenario.name === edits)?.scenario.name;
}

/** Starts the draft or replaces the running scenario. If it is rejected for mistakes, lists them. */
async function submitDraft(edited: string | undefined): Promise<void> {
  const client = shownClient();
  const text = draft.peek();
  try {
    await (edited === undefined
      ? client.postYaml("scenarios", text)
      : client.putYaml(`scenarios/${encodeURIComponent(edited)}`, text));
    showNotice("done", `The scenario is ${edited === undefined ? "started" : "replaced"}.`);
    goTo({ view: "failures" });
  } catch (error) {
    draftProblems.value = mistakesOf(error);
    if (draftProblems.value.length === 0) throw error;
  }
}

function Edited({ name }: { readonly name: string }): JSX.Element {
  return (
    <p>
      You edit <strong dir="auto">{name}</strong>, which runs. Replacing it leaves its time, its counters and the wallet
      as they are; whatever else the new version would have set by now is in force at once.{" "}
      <a href={hrefOf({ view: "failures", item: "editor" })}>Edit as a new scenario</a>
    </p>
  );
}

/** Says beside the button why it cannot start. The live region is rendered from the start, otherwise screen readers ignore its updates. */
function Mistakes({ to }: { readonly to: "start" | "replace" }): JSX.Element {
  const count = draftProblems.value.length;
  return (
    <strong role="status" class="bad">
      {count > 0 && `${counted(count, "mistake")}: fix ${count === 1 ? "it" : "them"} to ${to}`}
    </strong>
  );
}

function MistakeList({ onGoTo }: { readonly onGoTo: (index: number) => void }): JSX.Element | null {
  if (draftProblems.value.length === 0) return null;
  return (
    <ol class="list card" aria-label="Mistakes">
      {draftProblems.value.map(({ line, column, text }, index) => (
        <li key={index}>
          <button type="button" class="link" onClick={() => onGoTo(index)}>
            {line}:{column}
          </button>{" "}
          <bdi>{text}</bdi>
        </li>
      ))}
    </ol>
  );
}

/** Wall-clock milliseconds after the last keystroke before the text is checked. */
const CHECK_AFTER = 300;

/** Checks the draft while it is typed, and lists its mistakes. Returns what starting it would change. */
function useCheck(): ScenarioPreview["changes"] {
  const [changes, setChanges] = useState<ScenarioPreview["changes"]>([]);
  const text = draft.value;
  // An effect after the paint would still accept the answer to the text before.
  useLayoutEffect(() => {
    let isLatest = true;
    const check = async (): Promise<void> => {
      const next = await shownClient()
        .postYaml("scenarios?dry_run=true", text)
        .catch(() => undefined);
      if (!isLatest) return;
      setChanges(next?.changes ?? []);
      if (next !== undefined) draftProblems.value = next.problems.map(mistakeOf);
    };
    const timer = setTimeout(() => void check(), CHECK_AFTER);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [accountKey.value, text]);
  return changes;
}
