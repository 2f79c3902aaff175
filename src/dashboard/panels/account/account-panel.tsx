import type { JSX } from "preact";
import { loadedLater } from "../../parts/loaded-later.tsx";
import { Panel } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";
import { AccountsCard } from "./accounts-card.tsx";
import { CallbacksCard } from "./callbacks-card.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { JournalCard } from "./journal-card.tsx";
import { RateLimitCard } from "./rate-limit-card.tsx";
import { ReplicasCard } from "./replicas-card.tsx";
import { SenderIdsCard } from "./sender-ids-card.tsx";

/** The rest of the panel can be drawn before the programs are there. */
const SnippetsCard = loadedLater(async () => (await import("./snippets-card.tsx")).SnippetsCard);

export function AccountPanel(): JSX.Element {
  return (
    <Panel title="Account">
      <div class="account" key={accountKey.value}>
        <div class="stack">
          <CredentialsCard />
          <CallbacksCard />
          <SenderIdsCard />
        </div>
        <div class="stack">
          <SnippetsCard />
          <AccountsCard />
          <ReplicasCard />
          <RateLimitCard />
          <JournalCard />
        </div>
      </div>
    </Panel>
  );
}
