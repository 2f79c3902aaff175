import { computed } from "@preact/signals";
import { account, live } from "../../store.ts";
import { listProblems } from "./problems.ts";

/** The worst severity that can lose money, and the number of its problems. Undefined if there are none. */
export const worstProblems = computed(() => {
  const findings = [...(account.value?.reading.findings.values() ?? [])];
  const problems = listProblems(findings, live.value?.exploration.value?.problems ?? []);
  const worst = problems[0]?.is;
  if (worst !== "defect" && worst !== "risk") return undefined;
  return { severity: worst, count: problems.filter(({ is }) => is === worst).length };
});
