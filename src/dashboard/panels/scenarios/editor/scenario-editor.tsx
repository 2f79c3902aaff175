import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { draft, judgement, keepDraft } from "../draft.ts";
import type { Editor } from "./open-editor.ts";

interface ScenarioEditorProps {
  readonly onBegin: () => void;
  /** Takes what goes to a mistake. */
  readonly control: { current: Pick<Editor, "goToMark"> | undefined };
}

export function ScenarioEditor({ onBegin, control }: ScenarioEditorProps): JSX.Element {
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
  useEffect(() => {
    if (opened !== undefined && shown.current !== revision) opened.put(draft.peek().text);
    shown.current = revision;
  }, [opened, revision]);
  useEffect(() => opened?.mark(mistakes), [opened, mistakes]);
  return (
    <>
      {editor === "loading" && <p class="quiet">The editor is being loaded…</p>}
      {editor === "not loaded" && <p role="alert">The editor could not be loaded. Load the page again; the draft is kept.</p>}
      <div ref={host} class="scenario-editor" data-editor hidden={opened === undefined} />
    </>
  );
}

/** Answers what closes it again. */
function openIn(host: HTMLDivElement | null, onBegin: () => void, tell: (editor: Editor | "not loaded") => void): () => void {
  let isWanted = true;
  let editor: Editor | undefined;
  const open = async (root: ShadowRoot): Promise<void> => {
    const { openEditor } = await import("./open-editor.ts");
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
