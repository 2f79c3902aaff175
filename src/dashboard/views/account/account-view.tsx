import type { JSX } from "preact";
import { AccountPanel } from "./account-panel.tsx";
import { WalletPanel } from "./wallet-panel.tsx";

/** The account: where its callbacks go, its money, its sender IDs, and its journal. */
export function AccountView(): JSX.Element {
  return (
    <>
      <AccountPanel />
      <WalletPanel />
    </>
  );
}
