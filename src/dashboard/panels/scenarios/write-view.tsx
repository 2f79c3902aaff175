import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { BegunScenarios } from "../../../testing/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { explain, tell } from "../../notices.ts";
import { goTo } from "../../route.ts";
import { saveFile } from "../../save-file.ts";
import { accountKey } from "../../store.ts";
import { draft, judgement, putDraft, STARTER } from "./draft.ts";
import type { Editor } from "./editor/open-editor.ts";
import { ScenarioEditor } from "./editor/scenario-editor.tsx";
import { Judgement } from "./judgement.tsx";
import { doubtsOf, mistakesOf } from "./mistakes.ts";
import { writeOnRun } from "./save-run.ts";

/** A scenario is written or pasted here, and begun. */
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
            Begin it
          </button>
          <button type="button" class="button" onClick={() => saveFile("scenario.yaml", new Blob([draft.value.text]))}>
            Download
          </button>
        </div>
        <div class="row">
          <button type="button" class="button small" onClick={() => putDraft(STARTER)}>
            Put the example in
          </button>
          <button type="button" class="button small" onClick={() => void writeOnRun(consumerKey)}>
            Put in what happened
          </button>
        </div>
      </div>
      <ScenarioEditor onBegin={() => void begin()} control={editor} />
      <p class="quiet scenario-hint">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> begins it, <kbd>Ctrl</kbd> <kbd>]</kbd> indents, <kbd>Tab</kbd> leaves the editor. The draft stays
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
    tell("done", `${begun.items[0]?.name ?? "The scenario"} began.`);
    if (begun.warnings.length === 0) goTo({ panel: "scenarios" });
  } catch (error) {
    judgement.value = mistakesOf(error);
    if (judgement.value.length === 0) tell("problem", explain(error));
  }
}
