import { computed } from "@preact/signals";
import { listProblems } from "./backend-problems.ts";
import { account, live } from "./store.ts";

/** The problems that the account's stream tells of. */
export const liveProblems = computed(() => {
  const findings = [...(account.value?.reading.findings.values() ?? [])];
  return listProblems(findings, live.value?.exploration.value?.problems ?? []);
});

/** The worst severity that can lose money, and the number of its problems. Undefined if there are none. */
export const worstProblems = computed(() => {
  const worst = liveProblems.value[0]?.is;
  if (worst !== "defect" && worst !== "risk") return undefined;
  return { severity: worst, count: liveProblems.value.filter(({ is }) => is === worst).length };
});
