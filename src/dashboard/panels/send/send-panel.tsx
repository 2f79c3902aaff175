import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function SendPanel(): JSX.Element {
  return <Panel title="Send">{null}</Panel>;
}
