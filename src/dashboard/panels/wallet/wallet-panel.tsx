import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function WalletPanel(): JSX.Element {
  return <Panel title="Wallet">{null}</Panel>;
}
