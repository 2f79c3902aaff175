import type { JSX } from "preact";
import { areKeysShown } from "./keys.ts";
import { AccountPanel } from "./panels/account/account-panel.tsx";
import { FindingsPanel } from "./panels/findings/findings-panel.tsx";
import { PhonesPanel } from "./panels/phones/phones-panel.tsx";
import { ScenariosPanel } from "./panels/scenarios/scenarios-panel.tsx";
import { SendPanel } from "./panels/send/send-panel.tsx";
import { TimePanel } from "./panels/time/time-panel.tsx";
import { TransactionsPanel } from "./panels/transactions/transactions-panel.tsx";
import { WalletPanel } from "./panels/wallet/wallet-panel.tsx";
import { Notices } from "./parts/notices.tsx";
import { type PanelName, route } from "./route.ts";
import { Banner } from "./shell/banner.tsx";
import { Keys } from "./shell/keys.tsx";
import { Navigation } from "./shell/navigation.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { Top } from "./shell/top.tsx";
import { book, entryProblem } from "./store.ts";

const PANELS: Readonly<Record<PanelName, () => JSX.Element>> = {
  phones: PhonesPanel,
  transactions: TransactionsPanel,
  wallet: WalletPanel,
  time: TimePanel,
  scenarios: ScenariosPanel,
  findings: FindingsPanel,
  account: AccountPanel,
  send: SendPanel,
};

export function App(): JSX.Element {
  if (entryProblem.value?.status === 401) return <SignIn />;
  const { panel } = route.value;
  const Shown = PANELS[panel];
  return (
    <>
      <a class="skip button primary" href="#main">
        Skip to the panel
      </a>
      <div class="shell">
        <Top />
        <Navigation />
        <main id="main" class="main" tabIndex={-1}>
          <Banner />
          {book.value === undefined ? <p class="empty quiet">Reading the journal…</p> : <Shown />}
        </main>
      </div>
      {areKeysShown.value && <Keys />}
      <Notices />
    </>
  );
}
