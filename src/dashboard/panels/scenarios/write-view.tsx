import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { BegunScenarios, ScenarioPreview } from "../../../control-client/shapes.ts";
import { accountClient, saveFile } from "../../api/sandbox.ts";
import { explain, tell } from "../../parts/notices.tsx";
import { goTo, hrefOf } from "../../route.ts";
import { accountKey } from "../../store.ts";
import { draft, judgement, putDraft, STARTER, writeOnRun } from "./draft.ts";
import type { Editor } from "./editor/open-editor.ts";
import { ScenarioEditor } from "./editor/scenario-editor.tsx";
import { doubtsOf, judge, mistakesOf } from "./mistakes.ts";

export function WriteView(): JSX.Element {
  const editor = useRef<Pick<Editor, "goToMark">>(undefined);
  const [isBeginning, setBeginning] = useState(false);
  const [isWithoutSetup, setWithoutSetup] = useState(false);
  const consumerKey = accountKey.value ?? "default";
  const preview = usePreview(consumerKey);
  const begin = async (): Promise<void> => {
    if (isBeginning) return;
    setBeginning(true);
    await beginDraft(consumerKey, isWithoutSetup);
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
      <EditorKeys />
      <Judgement onGoTo={(index) => editor.current?.goToMark(index)} />
      {preview !== undefined && <Preview preview={preview} isWithoutSetup={isWithoutSetup} onWithoutSetup={setWithoutSetup} />}
    </div>
  );
}

function EditorKeys(): JSX.Element {
  return (
    <p class="quiet scenario-hint">
      <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it, <kbd>Ctrl</kbd> <kbd>Space</kbd> lists what may stand there, <kbd>Ctrl</kbd> <kbd>]</kbd> indents, <kbd>Tab</kbd> leaves the editor. The draft stays in
      this tab until it is closed.
    </p>
  );
}

/** Wall time without a key pressed before what is typed is checked, in milliseconds. */
const CHECK_AFTER = 300;

/** What the sandbox says of the draft while it is typed: its mistakes are marked, and unmarked as they are mended. */
function usePreview(consumerKey: string): ScenarioPreview | undefined {
  const [preview, setPreview] = useState<ScenarioPreview | undefined>(undefined);
  const { text } = draft.value;
  useEffect(() => {
    let isLatest = true;
    const check = async (): Promise<void> => {
      const next = await accountClient(consumerKey)
        .postYaml<ScenarioPreview>("scenarios?dry_run=true", text)
        .catch(() => undefined);
      if (!isLatest) return;
      setPreview(next);
      if (next !== undefined) judgement.value = judge(next);
    };
    const timer = setTimeout(() => void check(), CHECK_AFTER);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [consumerKey, text]);
  return preview;
}

interface PreviewProps {
  readonly preview: ScenarioPreview;
  readonly isWithoutSetup: boolean;
  readonly onWithoutSetup: (isWithout: boolean) => void;
}

/** What starting the draft would change, and which of the last orders each of its rules would have met. */
function Preview({ preview: { changes, rules }, isWithoutSetup, onWithoutSetup }: PreviewProps): JSX.Element | null {
  if (changes.length === 0 && rules.length === 0) return null;
  return (
    <section class="card stack" aria-label="What starting it would do">
      {changes.length > 0 && (
        <div class="stack-s">
          <h2>Starting it changes the account</h2>
          <ul class={isWithoutSetup ? "quiet" : ""}>
            {changes.map(({ setting, from, to }) => (
              <li key={setting}>
                <code>{setting}</code>: <bdi>{from ?? "none"}</bdi> becomes <bdi>{to ?? "none"}</bdi>
              </li>
            ))}
          </ul>
          <label class="row">
            <input type="checkbox" checked={isWithoutSetup} onChange={({ currentTarget }) => onWithoutSetup(currentTarget.checked)} />
            Start without setup: leave these as they are
          </label>
        </div>
      )}
      {rules.length > 0 && <WouldHaveMet rules={rules} />}
    </section>
  );
}

function WouldHaveMet({ rules }: Pick<ScenarioPreview, "rules">): JSX.Element {
  return (
    <div class="stack-s">
      <h2>Of the last 50 orders it would have met</h2>
      <ul class="stack-s">
        {rules.map(({ rule, request_ids: met }) => {
          const last = met.at(-1);
          return (
            <li key={rule}>
              <bdi>{rule}</bdi>:{" "}
              {last === undefined ? (
                <span class="quiet">none</span>
              ) : (
                <a href={hrefOf({ panel: "transactions", item: last })}>{countOf(met.length, "order")}, the last one</a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

async function beginDraft(consumerKey: string, isWithoutSetup: boolean): Promise<void> {
  judgement.value = [];
  try {
    const begun = await accountClient(consumerKey).postYaml<BegunScenarios>(
      `scenarios${isWithoutSetup ? "?setup=skip" : ""}`,
      draft.peek().text,
    );
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
          <h2>{isRefused ? countOf(mistakes.length, "mistake") : countOf(mistakes.length, "doubt")}</h2>
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
