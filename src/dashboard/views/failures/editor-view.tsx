import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScenarioPreview, ScenarioReplacement } from "../../../control/client/shapes.ts";
import { accountClient, saveFile } from "../../api/sandbox.ts";
import { ActionButton } from "../../parts/form.tsx";
import { tell } from "../../parts/notices.tsx";
import { goTo, hrefOf, route } from "../../route.ts";
import { accountKey, account } from "../../store.ts";
import { draft, judgement, putDraft, STARTER, keepDraft } from "./draft.ts";
import type { Editor } from "./editor/open-editor.ts";
import { mistakeOf, mistakesOf } from "./mistakes.ts";
import { ChangeList } from "./start-and-end.tsx";
import { counted } from "../../format.ts";

type Marker = Pick<Editor, "mark" | "goToMark">;

export function EditorView(): JSX.Element {
  const editor = useRef<Marker>(undefined);
  const consumerKey = accountKey.value ?? "default";
  const edited = editedName();
  const preview = usePreview(consumerKey, edited);
  const begin = async (): Promise<void> => {
    await submitDraft(consumerKey, edited);
    editor.current?.mark(judgement.peek());
    if (judgement.peek().length > 0) editor.current?.goToMark(0);
  };
  const button = useRef<HTMLSpanElement>(null);
  return (
    <div class="scenario-write stack close">
      {edited !== undefined && <Edited name={edited} />}
      <div class="spread">
        <div class="row">
          <span ref={button}>
            <ActionButton class="button primary" onAct={begin}>
              {edited === undefined ? "Start" : "Replace"}
            </ActionButton>
          </span>
          <Mistakes to={edited === undefined ? "start" : "replace"} />
        </div>
        <div class="row">
          <a class="button small" href={hrefOf({ view: "failures" })}>
            All failures
          </a>
          <button
            type="button"
            class="button small"
            onClick={() => saveFile("scenario.yaml", new Blob([draft.value.text]))}
          >
            Download
          </button>
          <button type="button" class="button small" onClick={() => putDraft(STARTER)}>
            Replace with example
          </button>
        </div>
      </div>
      <ScenarioEditor onBegin={() => button.current?.querySelector("button")?.click()} control={editor} />
      <p class="quiet">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it or replaces the running one, <kbd>Ctrl</kbd> <kbd>Space</kbd> shows
        completions, <kbd>Ctrl</kbd> <kbd>]</kbd> indents, <kbd>Tab</kbd> leaves the editor. The draft is kept until you
        close this tab.
      </p>
      <MistakeList onGoTo={(index) => editor.current?.goToMark(index)} />
      {preview !== undefined && <Preview preview={preview} />}
    </div>
  );
}

/** Returns the running scenario that the draft replaces, as named in the URL. */
function editedName(): string | undefined {
  const { edits } = route.value.query;
  return account.value?.reading.state?.scenarios.find(({ scenario }) => scenario.name === edits)?.scenario.name;
}

/** Starts the draft or replaces the running scenario. If it is rejected for mistakes, marks them. */
async function submitDraft(consumerKey: string, edited: string | undefined): Promise<void> {
  const client = accountClient(consumerKey);
  const { text } = draft.peek();
  try {
    await (edited === undefined ? client.postYaml("scenarios", text) : client.putYaml(pathOf(edited), text));
    tell("done", `The scenario is ${edited === undefined ? "started" : "replaced"}.`);
    goTo({ view: "failures" });
  } catch (error) {
    judgement.value = mistakesOf(error);
    if (judgement.value.length === 0) throw error;
  }
}

function pathOf(name: string): string {
  return `scenarios/${encodeURIComponent(name)}`;
}

function Edited({ name }: { readonly name: string }): JSX.Element {
  return (
    <p>
      You edit <strong dir="auto">{name}</strong>, which runs. Replacing it leaves its time, its counters and the
      account as they are. <a href={hrefOf({ view: "failures", item: "editor" })}>Edit as a new scenario</a>
    </p>
  );
}

/** Says beside the button why it cannot start. The live region is rendered from the start, otherwise screen readers ignore its updates. */
function Mistakes({ to }: { readonly to: "start" | "replace" }): JSX.Element {
  const count = judgement.value.length;
  return (
    <strong role="status" class="bad">
      {count > 0 && `${counted(count, "mistake")}: fix ${count === 1 ? "it" : "them"} to ${to}`}
    </strong>
  );
}

function MistakeList({ onGoTo }: { readonly onGoTo: (index: number) => void }): JSX.Element | null {
  if (judgement.value.length === 0) return null;
  return (
    <ol class="list card" aria-label="Mistakes">
      {judgement.value.map(({ line, column, text }, index) => (
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

type DraftPreview = ScenarioPreview | ScenarioReplacement;

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

/** Shows what the draft would change, and which recent orders each of its rules would have matched. */
function Preview({ preview }: { readonly preview: DraftPreview }): JSX.Element | null {
  const { rules } = preview;
  const isNew = "changes" in preview;
  const changes = isNew ? preview.changes : [];
  const differences = isNew ? [] : preview.differences;
  if (changes.length + differences.length + rules.length === 0) return null;
  return (
    <section class="card stack" aria-label={isNew ? "What starting it would do" : "What replacing would do"}>
      {changes.length > 0 && (
        <div>
          <h2>Starting it changes the account</h2>
          <ChangeList changes={changes} />
        </div>
      )}
      {differences.length > 0 && (
        <div>
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
      {rules.length > 0 && <Matches rules={rules} />}
    </section>
  );
}

function Matches({ rules }: Pick<ScenarioPreview, "rules">): JSX.Element {
  return (
    <div>
      <h2>Matches among the last 50 orders</h2>
      <ul>
        {rules.map(({ rule, request_ids: matched }) => {
          const last = matched.at(-1);
          return (
            <li key={rule}>
              <bdi>{rule}</bdi>:{" "}
              {last === undefined ? (
                <span class="quiet">none</span>
              ) : (
                <a href={hrefOf({ view: "requests", item: last })}>{counted(matched.length, "order")}, the last one</a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ScenarioEditorProps {
  readonly onBegin: () => void;
  /** Receives the functions that mark mistakes and go to one. */
  readonly control: { current: Marker | undefined };
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
