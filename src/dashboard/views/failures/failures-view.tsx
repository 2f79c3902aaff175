import type { JSX } from "preact";
import { ScenariosPanel } from "./scenarios-panel.tsx";

/** What fails on purpose: the active scenarios, the library, and the editor. */
export function FailuresView(): JSX.Element {
  return <ScenariosPanel />;
}
