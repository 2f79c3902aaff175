import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, indentUnit, syntaxTree } from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { type Extension, Prec, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  ViewPlugin,
} from "@codemirror/view";
import { type Mistake, stretchOf } from "../mistakes.ts";
import { complete, type Schema } from "./complete.ts";

interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly onTyped: (text: string) => void;
  /** Called on Ctrl+Enter or Command+Enter. */
  readonly onBegin: () => void;
}

export interface Editor {
  /** Replaces the text. Undo restores the old one. */
  readonly put: (text: string) => void;
  /** Marks these mistakes and removes all other marks. */
  readonly mark: (mistakes: readonly Mistake[]) => void;
  /** Selects a mistake at its current position, by its index among the marked ones. */
  readonly goToMark: (index: number) => void;
  readonly close: () => void;
}

/** Opens an editor for YAML in a shadow root, which can take constructed style sheets: the page's CSP forbids inline styles. */
export function openEditor(root: ShadowRoot, options: EditorOptions): Editor {
  const view = new EditorView({ doc: options.text, root, parent: root, extensions: extensionsFor(options) });
  let marked: readonly Diagnostic[] = [];
  return {
    put: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (mistakes) => {
      const text = view.state.doc.toString();
      marked = mistakes.map((mistake) => diagnosticOf(mistake, text));
      view.dispatch(setDiagnostics(view.state, marked));
    },
    goToMark: (index) => goTo(view, marked[index]),
    close: () => view.destroy(),
  };
}

/** Offers a button that inserts the suggested word, if there is one. */
function diagnosticOf(mistake: Mistake, text: string): Diagnostic {
  const [, meant] = /did you mean "?([\w-]+)"?\?/.exec(mistake.text) ?? [];
  const write = {
    name: `Write ${meant}`,
    apply: (view: EditorView, from: number, to: number) =>
      view.dispatch({ changes: { from, to, insert: meant ?? "" } }),
  };
  return {
    ...stretchOf(text, mistake),
    severity: "error",
    message: mistake.text,
    ...(meant !== undefined && { actions: [write] }),
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
    autocompletion({ override: [completeScenario], icons: false }),
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
    // Tab is not bound: it leaves the editor, as it leaves any other field.
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
  ];
}

/** The schema that the package ships for other editors. */
const SCHEMA = new URL("../../../../../schema/scenario.schema.json", import.meta.url);

let schema: Promise<Schema | undefined> | undefined;

async function completeScenario({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> {
  schema ??= readSchema();
  const known = await schema;
  const found = known === undefined ? null : complete(state.doc.toString(), pos, known);
  return found !== null && (explicit || found.from < pos || state.sliceDoc(pos - 2, pos) === ": ") ? found : null;
}

/** Reads the schema. Tries again the next time if the sandbox does not answer. */
async function readSchema(): Promise<Schema | undefined> {
  try {
    return await (await fetch(SCHEMA)).json();
  } catch {
    schema = undefined;
    return undefined;
  }
}

/** Selects a marked mistake. Marks move with the text around them. */
function goTo(view: EditorView, wanted: Diagnostic | undefined): void {
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (diagnostic !== wanted) return;
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  });
  view.focus();
}

/**
 * Replaces the selection with the typed text. The browser would keep the style of the removed text in a style attribute, which the page's
 * CSP blocks with an error in the console.
 */
const typeOver: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    if (inputType !== "insertText" || data === null || event.isComposing || view.state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Styles the editor with the page's colours, which a shadow root inherits. */
const editorLook: Extension = EditorView.theme({
  "&": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    fontSize: "var(--text-s)",
    height: "100%",
    borderRadius: "inherit",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "var(--space-2) 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--raised)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)",
  },
  ".cm-tooltip": {
    maxWidth: "min(36rem, 90vw)",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-s)",
    boxShadow: "var(--shadow)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px", minHeight: "24px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--accent-text)", background: "var(--accent)" },
  ".cm-completionInfo": { fontFamily: "var(--font)", padding: "8px 12px" },
  ".cm-diagnosticAction": {
    minHeight: "24px",
    color: "var(--accent-text)",
    backgroundColor: "var(--accent)",
    borderRadius: "var(--radius-s)",
  },
  ".cm-diagnostic": { fontFamily: "var(--font)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-lintRange-error": {
    background: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".yaml-key": { color: "var(--accent)" },
  ".yaml-quoted": { color: "var(--warm)" },
  ".yaml-comment": { color: "var(--quiet)", fontStyle: "italic" },
  ".yaml-name": { fontWeight: "600" },
});

/** Marks keys, quoted strings, comments and anchors with classes, whose colours follow the page's theme. */
const yamlColours: Extension = ViewPlugin.define(
  (view) => {
    let colours = colour(view);
    let tree = syntaxTree(view.state);
    return {
      update({ view: changed, docChanged, viewportChanged, state }) {
        if (!docChanged && !viewportChanged && syntaxTree(state) === tree) return;
        tree = syntaxTree(state);
        colours = colour(changed);
      },
      get colours() {
        return colours;
      },
    };
  },
  { decorations: ({ colours }) => colours },
);

/** The classes by the parser's node names. */
const CLASSES: Readonly<Record<string, Decoration>> = {
  Key: Decoration.mark({ class: "yaml-key" }),
  QuotedLiteral: Decoration.mark({ class: "yaml-quoted" }),
  BlockLiteralContent: Decoration.mark({ class: "yaml-quoted" }),
  Comment: Decoration.mark({ class: "yaml-comment" }),
  Anchor: Decoration.mark({ class: "yaml-name" }),
  Alias: Decoration.mark({ class: "yaml-name" }),
  Tag: Decoration.mark({ class: "yaml-name" }),
};

function colour({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: ({ name, from: begin, to: end }) => {
        const mark = CLASSES[name];
        if (mark === undefined || begin === end) return true;
        marks.add(begin, end, mark);
        return false;
      },
    });
  }
  return marks.finish();
}
