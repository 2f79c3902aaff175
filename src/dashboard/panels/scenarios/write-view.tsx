import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { BegunScenarios } from "../../../control-client/shapes.ts";
import { accountClient, saveFile } from "../../api/sandbox.ts";
import { explain, tell } from "../../parts/notices.tsx";
import { goTo } from "../../route.ts";
import { accountKey } from "../../store.ts";
import { draft, judgement, putDraft, STARTER, writeOnRun } from "./draft.ts";
import type { Editor } from "./editor/open-editor.ts";
import { ScenarioEditor } from "./editor/scenario-editor.tsx";
import { doubtsOf, mistakesOf } from "./mistakes.ts";

export function WriteView(): JSX.Element {
  const editor = useRef<Pick<Editor, "goToMark">>(undefined);
  const [isBeginning, setBeginning] = useState(false);
  const consumerKey = accountKey.value ?? "default";
  const begin = async (): Promise<void> => {
    if (isBeginning) return;
    setBeginning(true);
    await beginDraft(consumerKey);
    setBeginning(false);
  };
  return (
    <div class="scenario-write">
      <div class="spread">
        <div class="row">
          <button type="button" class="button primary" disabled={isBeginning} onClick={() => void begin()}>
            Start
          </button>
          <button type="button" class="button" onClick={() => saveFile("scenario.yaml", new Blob([draft.value.text]))}>
            Download
          </button>
        </div>
        <div class="row">
          <button type="button" class="button small" onClick={() => putDraft(STARTER)}>
            Insert example
          </button>
          <button type="button" class="button small" onClick={() => void writeOnRun(consumerKey)}>
            Load this run
          </button>
        </div>
      </div>
      <ScenarioEditor onBegin={() => void begin()} control={editor} />
      <p class="quiet scenario-hint">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it, <kbd>Ctrl</kbd> <kbd>]</kbd> indents, <kbd>Tab</kbd> leaves the editor. The draft stays
        in this tab until it is closed.
      </p>
      <Judgement onGoTo={(index) => editor.current?.goToMark(index)} />
    </div>
  );
}

async function beginDraft(consumerKey: string): Promise<void> {
  judgement.value = [];
  try {
    const begun = await accountClient(consumerKey).postYaml<BegunScenarios>("scenarios", draft.peek().text);
    judgement.value = doubtsOf(begun);
    tell("done", `${begun.items[0]?.name ?? "The scenario"} started.`);
    if (begun.warnings.length === 0) goTo({ panel: "scenarios" });
  } catch (error) {
    judgement.value = mistakesOf(error);
    if (judgement.value.length === 0) tell("problem", explain(error));
  }
}

/** The mistakes in what was sent, each a way to its line. The region stands from the start, so that screen readers hear it. */
function Judgement({ onGoTo }: { readonly onGoTo: (index: number) => void }): JSX.Element {
  const mistakes = judgement.value;
  const isRefused = mistakes.some(({ severity }) => severity === "error");
  return (
    <div role="status" aria-live="polite">
      {mistakes.length > 0 && (
        <section class={`scenario-judgement ${isRefused ? "bad" : "warm"}`} aria-label={isRefused ? "Mistakes" : "Doubts"}>
          <h2>
            {isRefused
              ? `${countOf(mistakes.length, "mistake")}; nothing was changed`
              : `It began, with ${countOf(mistakes.length, "doubt")}`}
          </h2>
          <ol>
            {mistakes.map(({ line, column, text }, index) => (
              <li key={index}>
                <button type="button" onClick={() => onGoTo(index)}>
                  <span class="number">
                    {line}:{column}
                  </span>
                  <bdi>{text}</bdi>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
