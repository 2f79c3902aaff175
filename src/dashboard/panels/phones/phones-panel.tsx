import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";

export function PhonesPanel(): JSX.Element {
  return <Panel title="Phones">{null}</Panel>;
}
