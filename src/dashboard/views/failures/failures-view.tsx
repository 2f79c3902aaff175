import type { JSX } from "preact";
import { sandbox } from "../../api/sandbox.ts";
import { View } from "../../parts/parts.tsx";
import { useFollowed } from "../../parts/use-followed.ts";
import { currentRoute } from "../../base/route.ts";
import { account, accountKey, shownClient } from "../../live/store.ts";
import { ActiveScenarios } from "./active-scenarios.tsx";
import { EditorView } from "./editor-view.tsx";
import { Library } from "./library.tsx";

/** What fails on purpose: the active scenarios and the library, or the editor. */
export function FailuresView(): JSX.Element {
  return <View title="Failures">{currentRoute.value.item === "editor" ? <EditorView /> : <Overview />}</View>;
}

function Overview(): JSX.Element {
  const active = useFollowed(
    accountKey.value ?? "",
    () => account.value,
    async () => (await shownClient().get("scenarios")).items,
  );
  const shipped = useFollowed(
    "",
    () => undefined,
    async () => (await sandbox().get("scenarios")).items,
  );
  // Otherwise the library would move when the scenarios above it are read.
  if (active === undefined || shipped === undefined) return <p class="quiet">Loading…</p>;
  return (
    <div class="failures stack beside">
      <ActiveScenarios scenarios={active} />
      <Library shipped={shipped} />
    </div>
  );
}
