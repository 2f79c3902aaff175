import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { type Extension, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { type Mistake, stretchOf } from "../mistakes.ts";
import { editorLook } from "./editor-look.ts";
import { typeOver } from "./type-over.ts";
import { yamlColours } from "./yaml-colours.ts";

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly onTyped: (text: string) => void;
  /** Ctrl+Enter, or Command+Enter. */
  readonly onBegin: () => void;
}

export interface Editor {
  /** Puts another text in place; what was typed can be brought back by undoing. */
  readonly put: (text: string) => void;
  /** Shows mistakes at their lines, and no others. */
  readonly mark: (mistakes: readonly Mistake[]) => void;
  /** Goes to where a mistake stands now, by its place among those that were marked. */
  readonly goToMark: (index: number) => void;
  readonly close: () => void;
}

/**
 * Opens an editor for YAML. It stands in a shadow root, where its styles are constructed sheets: the page's policy lets no
 * inline ones in.
 */
export function openEditor(root: ShadowRoot, options: EditorOptions): Editor {
  const view = new EditorView({ doc: options.text, root, parent: root, extensions: extensionsFor(options) });
  let marked: readonly Diagnostic[] = [];
  return {
    put: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (mistakes) => {
      const text = view.state.doc.toString();
      marked = mistakes.map((mistake) => ({ ...stretchOf(text, mistake), severity: mistake.severity, message: mistake.text }));
      view.dispatch(setDiagnostics(view.state, marked));
    },
    goToMark: (index) => goTo(view, marked[index]),
    close: () => view.destroy(),
  };
}

function extensionsFor({ label, onTyped, onBegin }: EditorOptions): Extension[] {
  const begin = (): boolean => {
    onBegin();
    return true;
  };
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    history(),
    indentOnInput(),
    indentUnit.of("  "),
    bracketMatching(),
    yaml(),
    yamlColours,
    editorLook,
    typeOver,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onTyped(state.doc.toString());
    }),
    Prec.highest(keymap.of([{ key: "Ctrl-Enter", mac: "Mod-Enter", run: begin }])),
    // Tab is not among them: it leaves the editor, as it leaves any other field.
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  ];
}

/** A mark moves with the text around it. */
function goTo(view: EditorView, wanted: Diagnostic | undefined): void {
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (diagnostic !== wanted) return;
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  });
  view.focus();
}
