import type { JSX } from "preact";
import { View } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { ActiveScenarios } from "./active-scenarios.tsx";
import { EditorView } from "./editor-view.tsx";
import { Library } from "./library.tsx";

/** What fails on purpose: the active scenarios and the library, or the editor. */
export function FailuresView(): JSX.Element {
  const isEditor = route.value.item === "editor";
  const tools = (
    <a class="button small" href={hrefOf({ view: "failures", ...(!isEditor && { item: "editor" }) })}>
      {isEditor ? "All failures" : "Write a scenario"}
    </a>
  );
  return (
    <View title="Failures" tools={tools}>
      <div class="failures stack">
        {isEditor ? (
          <EditorView />
        ) : (
          <>
            <ActiveScenarios />
            <Library />
          </>
        )}
      </div>
    </View>
  );
}
