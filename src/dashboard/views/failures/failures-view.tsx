import type { JSX } from "preact";
import { View } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { ActiveScenarios } from "./active-scenarios.tsx";
import { EditorView } from "./editor-view.tsx";
import { Library } from "./library.tsx";

/** What fails on purpose: the active scenarios and the library, or the editor. */
export function FailuresView(): JSX.Element {
  return (
    <View title="Failures">
      <div class="failures stack">
        {route.value.item === "editor" ? (
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
