import type { JSX } from "preact";
import { ExplorationPanel } from "./exploration-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";

/** What the sandbox says about the backend. */
export function VerdictView(): JSX.Element {
  return (
    <>
      <FindingsPanel />
      <ExplorationPanel />
    </>
  );
}
