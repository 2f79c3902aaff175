import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";
import { AdvanceCard } from "./advance-card.tsx";
import { Fired } from "./fired.tsx";
import { ModeForm } from "./mode-form.tsx";
import { NowCard } from "./now-card.tsx";
import { PendingCard } from "./pending-card.tsx";

export function TimePanel(): JSX.Element {
  return (
    <Panel title="Time">
      <div class="time" key={accountKey.value}>
        <div class="stack">
          <NowCard />
          <AdvanceCard />
        </div>
        <div class="stack time-events">
          <PendingCard />
          <Fired />
        </div>
        <ModeForm />
      </div>
    </Panel>
  );
}
