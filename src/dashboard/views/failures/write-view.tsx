import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScenarioPreview, ScenarioReplacement } from "../../../control/client/shapes.ts";
import { accountClient, saveFile } from "../../api/sandbox.ts";
import { explain, tell } from "../../parts/notices.tsx";
import { goTo, hrefOf, route } from "../../route.ts";
import { accountKey, account } from "../../store.ts";
import { draft, judgement, putDraft, STARTER, keepDraft } from "./draft.ts";
import type { Editor } from "./editor/open-editor.ts";
import { mistakeOf, mistakesOf } from "./mistakes.ts";
import { SetupChanges } from "./start-and-end.tsx";
import { counted } from "../../format.ts";

export function WriteView(): JSX.Element {
  const editor = useRef<Pick<Editor, "goToMark">>(undefined);
  const [isBeginning, setBeginning] = useState(false);
  const [isWithoutSetup, setWithoutSetup] = useState(false);
  const consumerKey = accountKey.value ?? "default";
  const edited = editedName();
  const preview = usePreview(consumerKey, edited);
  const begin = async (): Promise<void> => {
    if (isBeginning) return;
    setBeginning(true);
    await (edited === undefined ? beginDraft(consumerKey, isWithoutSetup) : replaceByDraft(consumerKey, edited));
    setBeginning(false);
  };
  return (
    <div class="scenario-write">
      {edited !== undefined && <Edited name={edited} />}
      <div class="spread">
        <div class="row">
          <button type="button" class="button primary" disabled={isBeginning} onClick={() => void begin()}>
            {edited === undefined ? "Start" : "Replace"}
          </button>
          <button type="button" class="button" onClick={() => saveFile("scenario.yaml", new Blob([draft.value.text]))}>
            Download
          </button>
        </div>
        <button type="button" class="button small" onClick={() => putDraft(STARTER)}>
          Insert example
        </button>
      </div>
      <ScenarioEditor onBegin={() => void begin()} control={editor} />
      <EditorKeys />
      <Judgement onGoTo={(index) => editor.current?.goToMark(index)} />
      {preview !== undefined && (
        <Preview preview={preview} isWithoutSetup={isWithoutSetup} onWithoutSetup={setWithoutSetup} />
      )}
    </div>
  );
}

/** Returns the running scenario that the draft replaces, as named in the URL. */
function editedName(): string | undefined {
  const { edits } = route.value.query;
  return account.value?.reading.state?.scenarios.find(({ scenario }) => scenario.name === edits)?.scenario.name;
}

function Edited({ name }: { readonly name: string }): JSX.Element {
  return (
    <p>
      You edit <strong dir="auto">{name}</strong>, which runs. Replacing it leaves its time, its counters and the
      account as they are. <a href={hrefOf({ view: "failures", item: "write" })}>Edit as a new scenario</a>
    </p>
  );
}

function EditorKeys(): JSX.Element {
  return (
    <p class="quiet scenario-hint">
      <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it or replaces the running one, <kbd>Ctrl</kbd> <kbd>Space</kbd> shows
      completions, <kbd>Ctrl</kbd> <kbd>]</kbd> indents, <kbd>Tab</kbd> leaves the editor. The draft is kept until you
      close this tab.
    </p>
  );
}

/** Wall-clock milliseconds after the last keystroke before the text is checked. */
const CHECK_AFTER = 300;

/** Checks the draft while it is typed, and marks its mistakes. */
function usePreview(consumerKey: string, edited: string | undefined): DraftPreview | undefined {
  const [preview, setPreview] = useState<DraftPreview | undefined>(undefined);
  const { text } = draft.value;
  // An effect after the paint would still accept the answer to the text before.
  useLayoutEffect(() => {
    let isLatest = true;
    const check = async (): Promise<void> => {
      const client = accountClient(consumerKey);
      const next = await (
        edited === undefined
          ? client.postYaml<ScenarioPreview>("scenarios?dry_run=true", text)
          : client.putYaml<ScenarioReplacement>(`${pathOf(edited)}?dry_run=true`, text)
      ).catch(() => undefined);
      if (!isLatest) return;
      setPreview(next);
      if (next !== undefined) judgement.value = next.problems.map(mistakeOf);
    };
    const timer = setTimeout(() => void check(), CHECK_AFTER);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [consumerKey, text, edited]);
  return preview;
}

type DraftPreview = ScenarioPreview | ScenarioReplacement;

function pathOf(name: string): string {
  return `scenarios/${encodeURIComponent(name)}`;
}

interface PreviewProps {
  readonly preview: DraftPreview;
  readonly isWithoutSetup: boolean;
  readonly onWithoutSetup: (isWithout: boolean) => void;
}

/** Shows what the draft would change, and which recent orders each of its rules would have matched. */
function Preview({ preview, isWithoutSetup, onWithoutSetup }: PreviewProps): JSX.Element | null {
  const { rules } = preview;
  const changes = "changes" in preview ? preview.changes : [];
  const differences = "differences" in preview ? preview.differences : [];
  if (changes.length + differences.length + rules.length === 0) return null;
  return (
    <section
      class="card stack"
      aria-label={"changes" in preview ? "What starting it would do" : "What replacing would do"}
    >
      {changes.length > 0 && (
        <div class="stack-s">
          <h2>Starting it changes the account</h2>
          <SetupChanges changes={changes} isWithoutSetup={isWithoutSetup} onWithoutSetup={onWithoutSetup} />
        </div>
      )}
      {differences.length > 0 && (
        <div class="stack-s">
          <h2>Replacing changes</h2>
          <ul>
            {differences.map(({ part, is }) => (
              <li key={part}>
                <bdi>{part.replace(/^rules\.(.*)/s, "the rule “$1”")}</bdi>: {is}
              </li>
            ))}
          </ul>
        </div>
      )}
      {rules.length > 0 && <WouldHaveMet rules={rules} />}
    </section>
  );
}

function WouldHaveMet({ rules }: Pick<ScenarioPreview, "rules">): JSX.Element {
  return (
    <div class="stack-s">
      <h2>Matches among the last 50 orders</h2>
      <ul class="stack-s">
        {rules.map(({ rule, request_ids: met }) => {
          const last = met.at(-1);
          return (
            <li key={rule}>
              <bdi>{rule}</bdi>:{" "}
              {last === undefined ? (
                <span class="quiet">none</span>
              ) : (
                <a href={hrefOf({ view: "requests", item: last })}>{counted(met.length, "order")}, the last one</a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function beginDraft(consumerKey: string, isWithoutSetup: boolean): Promise<void> {
  return send(
    (text) => accountClient(consumerKey).postYaml(`scenarios${isWithoutSetup ? "?setup=skip" : ""}`, text),
    "started",
  );
}

function replaceByDraft(consumerKey: string, edited: string): Promise<void> {
  return send((text) => accountClient(consumerKey).putYaml(pathOf(edited), text), "replaced");
}

async function send(post: (text: string) => Promise<unknown>, done: string): Promise<void> {
  judgement.value = [];
  try {
    await post(draft.peek().text);
    tell("done", `The scenario is ${done}.`);
    goTo({ view: "failures" });
  } catch (error) {
    judgement.value = mistakesOf(error);
    if (judgement.value.length === 0) tell("problem", explain(error));
  }
}

/**
 * Lists the mistakes in the submitted text, each with a link to its line. The live region is rendered from the start, otherwise screen
 * readers ignore its updates.
 */
function Judgement({ onGoTo }: { readonly onGoTo: (index: number) => void }): JSX.Element {
  const mistakes = judgement.value;
  return (
    <div role="status" aria-live="polite">
      {mistakes.length > 0 && (
        <section class="scenario-judgement bad" aria-label="Mistakes">
          <h2>{counted(mistakes.length, "mistake")}</h2>
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

interface ScenarioEditorProps {
  readonly onBegin: () => void;
  /** Receives the function that goes to a mistake. */
  readonly control: { current: Pick<Editor, "goToMark"> | undefined };
}

function ScenarioEditor({ onBegin, control }: ScenarioEditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(onBegin);
  latest.current = onBegin;
  const [editor, setEditor] = useState<Editor | "loading" | "not loaded">("loading");
  useEffect(() => openIn(host.current, () => latest.current(), setEditor), []);
  const opened = typeof editor === "string" ? undefined : editor;
  control.current = opened;
  const { revision } = draft.value;
  const mistakes = judgement.value;
  const shown = useRef(revision);
  // An effect after the paint would overwrite the new draft with what the user types in the old one meanwhile.
  useLayoutEffect(() => {
    if (opened !== undefined && shown.current !== revision) opened.put(draft.peek().text);
    shown.current = revision;
  }, [opened, revision]);
  useLayoutEffect(() => opened?.mark(mistakes), [opened, mistakes]);
  return (
    <>
      {editor === "loading" && <p class="quiet">Loading the editor…</p>}
      {editor === "not loaded" && (
        <p role="alert">The editor could not be loaded. Reload the page; the draft is kept.</p>
      )}
      <div ref={host} class="scenario-editor" data-editor hidden={opened === undefined} />
    </>
  );
}

/** Opens the editor. Returns a function that closes it. */
function openIn(
  host: HTMLDivElement | null,
  onBegin: () => void,
  tell: (editor: Editor | "not loaded") => void,
): () => void {
  let isWanted = true;
  let editor: Editor | undefined;
  const open = async (root: ShadowRoot): Promise<void> => {
    const { openEditor } = await import("./editor/open-editor.ts");
    if (!isWanted) return;
    editor = openEditor(root, { text: draft.peek().text, label: "Scenario in YAML", onTyped: keepDraft, onBegin });
    tell(editor);
  };
  if (host !== null) open(host.shadowRoot ?? host.attachShadow({ mode: "open" })).catch(() => tell("not loaded"));
  return () => {
    isWanted = false;
    editor?.close();
  };
}
