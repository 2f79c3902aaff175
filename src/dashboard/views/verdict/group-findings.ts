import type { DetectorJson, FindingJson } from "../../../verdict/shapes.ts";
import type { Tone } from "../../parts/parts.tsx";

/** The findings of one detector, about one or more subjects. */
export interface Group {
  readonly detector: DetectorJson;
  readonly findings: readonly FindingJson[];
}

/** Groups findings by detector, in the order in which they were first seen. */
export function groupFindings(findings: readonly FindingJson[]): Group[] {
  const groups = new Map<string, FindingJson[]>();
  for (const finding of findings) groups.set(finding.id, [...(groups.get(finding.id) ?? []), finding]);
  return [...groups.values()].flatMap((findings) => {
    const [detector] = findings;
    return detector === undefined ? [] : [{ detector, findings }];
  });
}

/** Returns the request_ids of exchanges without a transaction in the control API: those of refused or forgotten requests. */
export function unledIds(findings: readonly FindingJson[]): Set<string> {
  const exchanges = findings.flatMap((finding) => finding.exchanges);
  return new Set(exchanges.flatMap(({ request_id, transaction }) => (transaction === null ? [request_id] : [])));
}

/** The severities from worst to least, with the control API's definition of each. */
export const SEVERITIES: readonly {
  readonly severity: FindingJson["severity"];
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
