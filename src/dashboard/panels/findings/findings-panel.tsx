import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function FindingsPanel(): JSX.Element {
  return <Panel title="Findings">{null}</Panel>;
}
