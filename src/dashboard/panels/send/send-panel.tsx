import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Panel } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { accountKey, book } from "../../store.ts";
import { Answer } from "./answer.tsx";
import { QuickPicks } from "./quick-picks.tsx";
import { SendForm } from "./send-form.tsx";
import { beginDraft, readPrices } from "./send-state.ts";

export function SendPanel(): JSX.Element {
  const state = book.value?.book.state;
  const scenarios = state?.scenarios ?? NONE;
  const key = accountKey.value ?? "";
  useEffect(() => beginDraft(state?.senderIds.keys() ?? []), [route.value]);
  useEffect(() => readPrices(key, scenarios), [key, scenarios]);
  return (
    <Panel title="Send">
      <div class="send">
        <SendForm />
        <div class="stack">
          <Answer />
          <QuickPicks scenarios={scenarios} />
        </div>
      </div>
    </Panel>
  );
}

const NONE = [] as const;
