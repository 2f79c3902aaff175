import type { Finding } from "../../../testing/shapes.ts";
import type { Tone } from "../../parts/parts.tsx";

export type Severity = Finding["severity"];

/** The severities, the worst one first, in the control API's meaning of each. */
export const SEVERITIES: readonly {
  readonly severity: Severity;
  readonly one: string;
  readonly many: string;
  readonly means: string;
  readonly tone: Tone;
}[] = [
  { severity: "defect", one: "defect", many: "Defects", means: "lose money or messages", tone: "bad" },
  { severity: "risk", one: "risk", many: "Risks", means: "can lose money or messages", tone: "warm" },
  { severity: "cost", one: "cost", many: "Costs", means: "waste money or time", tone: "warm" },
  { severity: "hint", one: "hint", many: "Hints", means: "are worth knowing", tone: "plain" },
];
