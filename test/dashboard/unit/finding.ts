import type { FindingJson } from "../../../src/verdict/endpoints/shapes.ts";

/** What a finding, or a problem of a report, says. */
export const WORDS = { seen: "Seen.", why: "Why.", repair: "Repair.", assumes: "Nothing.", count: 1, exchanges: [] };

export function finding(id: string, subject: string, severity: FindingJson["severity"] = "risk"): FindingJson {
  const at = "2025-01-06T06:00:00.000Z";
  return { ...WORDS, id, subject, severity, title: "Title", first_at: at, last_at: at };
}
