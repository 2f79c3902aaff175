import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** The editor in the page's own colours, which a shadow root inherits. */
export const editorLook: Extension = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--text-s)", height: "100%", borderRadius: "inherit" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "var(--space-2) 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--raised)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  ".cm-tooltip": {
    maxWidth: "min(36rem, 90vw)",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-s)",
    boxShadow: "var(--shadow)",
  },
  ".cm-diagnostic": { fontFamily: "var(--font)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warm)" },
  ".cm-lintRange-error": { background: "none", textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { background: "none", textDecoration: "underline wavy var(--warm)", textUnderlineOffset: "3px" },
  ".yaml-key": { color: "var(--accent)" },
  ".yaml-quoted": { color: "var(--warm)" },
  ".yaml-comment": { color: "var(--quiet)", fontStyle: "italic" },
  ".yaml-name": { fontWeight: "600" },
});
