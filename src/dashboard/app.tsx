import type { JSX } from "preact";
import { areKeysShown } from "./keys.ts";
import { type LoadedLater, loadedLater } from "./parts/loaded-later.tsx";
import { Notices } from "./parts/notices.tsx";
import { type PanelName, route } from "./route.ts";
import { Banner } from "./shell/banner.tsx";
import { Keys } from "./shell/keys.tsx";
import { Navigation } from "./shell/navigation.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { Top } from "./shell/top.tsx";
import { book, entryProblem } from "./store.ts";

/** The first paint needs one of them. */
const PANELS: Readonly<Record<PanelName, LoadedLater>> = {
  phones: loadedLater(async () => (await import("./panels/phones/phones-panel.tsx")).PhonesPanel),
  transactions: loadedLater(async () => (await import("./panels/transactions/transactions-panel.tsx")).TransactionsPanel),
  wallet: loadedLater(async () => (await import("./panels/wallet/wallet-panel.tsx")).WalletPanel),
  time: loadedLater(async () => (await import("./panels/time/time-panel.tsx")).TimePanel),
  scenarios: loadedLater(async () => (await import("./panels/scenarios/scenarios-panel.tsx")).ScenariosPanel),
  findings: loadedLater(async () => (await import("./panels/findings/findings-panel.tsx")).FindingsPanel),
  account: loadedLater(async () => (await import("./panels/account/account-panel.tsx")).AccountPanel),
  send: loadedLater(async () => (await import("./panels/send/send-panel.tsx")).SendPanel),
};

/** Loads the panel that the address names, and the others once the page stands, so that none is missing when the sandbox stops. */
export async function loadPanels(): Promise<void> {
  await PANELS[route.value.panel].load();
  await new Promise((resolve) => setTimeout(resolve, OTHERS_AFTER));
  await Promise.all(Object.values(PANELS).map(({ load }) => load()));
}

/** Wall time, in milliseconds. */
const OTHERS_AFTER = 1_000;

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
          {book.value === undefined ? <p class="empty quiet">Reading the journal…</p> : <Shown key={panel} />}
        </main>
      </div>
      {areKeysShown.value && <Keys />}
      <Notices />
    </>
  );
}
