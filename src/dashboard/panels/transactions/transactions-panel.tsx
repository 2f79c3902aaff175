import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function TransactionsPanel(): JSX.Element {
  return <Panel title="Transactions">{null}</Panel>;
}
