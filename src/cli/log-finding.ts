import type { Finding } from "../findings/finding.ts";
import { quoted } from "./log-quote.ts";
import type { LogEntry } from "./log-entry.ts";

/** The entry of a finding when it is first seen; its count grows in silence. */
export function findingEntry(finding: Finding, maskPhoneNumbers: boolean): LogEntry {
  const { id, severity, title, why, mend } = finding;
  const seen = quoted(finding.seen, maskPhoneNumbers);
  return {
    level: severity === "defect" || severity === "risk" ? "warn" : "info",
    event: "finding",
    text: `finding   ${severity}  ${title} (${id}). ${seen} ${mend}`,
    fields: () => ({ id, severity, subject: quoted(finding.subject, maskPhoneNumbers), title, seen, why, mend }),
  };
}
