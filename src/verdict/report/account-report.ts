import { foldJournal } from "../../gateway/account/apply.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { Finding } from "../checks/finding.ts";
import { verdictOfFinding } from "../orders/judge-order.ts";
import { balanceIn } from "./balance.ts";
import { Lives } from "./lives.ts";
import { createReport } from "./problems.ts";
import type { Report, TrialReport } from "./report.ts";
import { verdictWithoutExchanges, worstFirst, worstOf } from "../verdict.ts";
import { readReportTimeline } from "./timeline.ts";

export interface WatchedAccount {
  readonly name: string;
  readonly kept: JournalSlice;
  /** Since the last reset, including findings whose events were evicted. */
  readonly findings: readonly Finding[];
  readonly evicted: number;
}

/** Reports on accounts used without a rehearsal, for example by a test suite or manually: what their traffic shows. */
export function reportOnAccounts(accounts: readonly WatchedAccount[], wallNow: Instant): Report {
  const requests = accounts.flatMap(({ kept }) => requestsOfBackend(kept.events).slice(0, 1));
  const startedAt = Math.min(wallNow, ...requests.map(sentAt));
  const [first] = accounts;
  return createReport({
    // The name of every account would be in each case of a JUnit file.
    name: accounts.length === 1 && first ? `account ${first.name}` : counted(accounts.length, "account"),
    started_at: formatInstant(startedAt),
    duration_ms: Math.round(wallNow - startedAt),
    seed: (first && foldJournal(first.kept.events)?.seed) ?? 0,
    trials: accounts.map((account) => trialOf(account, wallNow - startedAt)),
    not_looked_at: ["what the application says of its orders, its balances and its books (kredo explore asks it)"],
  });
}

const ONLY_OWN = "no request arrived but those of Kredo's own commands";

function trialOf({ name, kept, findings, evicted }: WatchedAccount, millis: Millis): TrialReport {
  const lives = findings.some(({ severity }) => severity === "defect") ? new Lives(kept) : undefined;
  const verdicts = findings
    .map(verdictOfFinding)
    .map((verdict) => (verdict.is === "defect" ? { ...verdict, life: lives?.of(verdict.exchanges) } : verdict))
    .toSorted(worstFirst);
  const wasCalled = requestsOfBackend(kept.events).length > 0 || evicted > 0;
  const plain = verdictWithoutExchanges({
    is: wasCalled ? "right" : "not assessed",
    id: "traffic",
    title: "sends requests and answers callbacks",
    seen: wasCalled ? "no defect in its traffic" : kept.events.some(isRequestEvent) ? ONLY_OWN : "no request arrived",
  });
  const isBroken = verdicts.some(({ is }) => is === "defect");
  const all = isBroken ? verdicts : [plain, ...verdicts];
  return {
    id: name,
    faults: `account ${name}`,
    places: [],
    verdict: worstOf(all),
    verdicts: all,
    exchanges: readReportTimeline(kept),
    balance: balanceIn(kept),
    duration_ms: Math.round(millis),
    evicted: evicted > 0 ? evicted : undefined,
  };
}
