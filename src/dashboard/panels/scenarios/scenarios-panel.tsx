import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function ScenariosPanel(): JSX.Element {
  return <Panel title="Scenarios">{null}</Panel>;
}
