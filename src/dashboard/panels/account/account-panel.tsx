import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";
import { AccountsCard } from "./accounts-card.tsx";
import { CallbacksCard } from "./callbacks-card.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { JournalCard } from "./journal-card.tsx";
import { RateLimitCard } from "./rate-limit-card.tsx";
import { SenderIdsCard } from "./sender-ids-card.tsx";
import { SnippetsCard } from "./snippets-card.tsx";

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
          <RateLimitCard />
          <JournalCard />
        </div>
      </div>
    </Panel>
  );
}
