import { syntaxTree } from "@codemirror/language";
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";

/** Marks keys, quoted texts, comments and anchors with classes, whose colours follow the page's scheme. */
export const yamlColours: Extension = ViewPlugin.define(
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

/** By the parser's names for what stands there. */
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
