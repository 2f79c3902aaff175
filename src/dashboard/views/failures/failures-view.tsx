import type { JSX } from "preact";
import { View } from "../../parts/parts.tsx";
import { currentRoute } from "../../base/route.ts";
import { ActiveScenarios, useActive } from "./active-scenarios.tsx";
import { EditorView } from "./editor-view.tsx";
import { Library } from "./library.tsx";

/** What fails on purpose: the active scenarios and the library, or the editor. */
export function FailuresView(): JSX.Element {
  return (
    <View title="Failures">
      {currentRoute.value.item === "editor" ? (
        <div class="failures stack">
          <EditorView />
        </div>
      ) : (
        <div class="failures stack beside">
          <Overview />
        </div>
      )}
    </View>
  );
}

function Overview(): JSX.Element {
  const active = useActive();
  // Otherwise the library would move when the scenarios above it are read.
  if (active === undefined) return <p class="quiet">Loading…</p>;
  return (
    <>
      <ActiveScenarios scenarios={active} />
      <Library />
    </>
  );
}
