import type { Finding } from "../../checks/finding.ts";
import type { Verdict } from "../report.ts";
import type { FindingsCheck } from "../check-schema.ts";
import { EVICTED, type Evidence, failed, notAssessed, passed, describeCount } from "./evidence.ts";

/** Judges whether exactly the expected findings occurred. */
export function gradeFindings(expected: FindingsCheck, evidence: Evidence): Verdict {
  const { findings, isComplete } = evidence;
  const { some = [] } = expected;
  const unwanted = findings.filter((finding) => isUnwanted(finding, expected));
  const ids = findings.map(({ id }) => id);
  const missing = some.filter((id) => !ids.includes(id));
  if (unwanted.length > 0)
    return failed(
      unwanted.map(({ id, seen, count }) => `${id}${count > 1 ? ` (${count} times)` : ""}: ${seen}`).join(" "),
      unwanted.flatMap(({ exchanges }) => exchanges),
    );
  if (!isComplete) return EVICTED;
  if (missing.length > 0) return failed(`no finding ${missing.join(", ")}`);
  const traffic = countTraffic(evidence);
  if (traffic === 0) return notAssessed("at least one request to the gateway");
  return passed(some.length > 0 ? some.join(", ") : `none of these in ${describeCount(traffic, "exchange")}`);
}

export function isUnwanted({ id, severity }: Finding, { none_of = [], none = [] }: FindingsCheck): boolean {
  return none_of.includes(severity) || none.some((one) => one === id);
}

/** Returns whether there were any requests or callbacks. */
export function hasTraffic(evidence: Evidence): boolean {
  return countTraffic(evidence) > 0;
}

function countTraffic({ kept }: Evidence): number {
  return kept.events.filter(({ kind }) => TRAFFIC.includes(kind)).length;
}

const TRAFFIC: readonly string[] = ["accepted", "refused", "queried", "cut", "attempted"];
