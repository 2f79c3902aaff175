import { computed } from "@preact/signals";
import { account, live } from "../../store.ts";
import { listProblems } from "./problems.ts";

/** What the account's stream tells of its problems. */
export const problems = computed(() => {
  const findings = [...(account.value?.reading.findings.values() ?? [])];
  return listProblems(findings, live.value?.exploration.value?.problems ?? []);
});

/** The worst severity that can lose money, and the number of its problems. Undefined if there are none. */
export const worstProblems = computed(() => {
  const worst = problems.value[0]?.is;
  if (worst !== "defect" && worst !== "risk") return undefined;
  return { severity: worst, count: problems.value.filter(({ is }) => is === worst).length };
});
