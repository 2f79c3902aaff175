import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function TimePanel(): JSX.Element {
  return <Panel title="Time">{null}</Panel>;
}
