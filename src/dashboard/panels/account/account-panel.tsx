import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function AccountPanel(): JSX.Element {
  return <Panel title="Account">{null}</Panel>;
}
