import { isAcknowledged } from "../domain/callback-outcome.ts";
import { type Check, CHECKS, type Judgement } from "./check.ts";
import type { Observed } from "./examine.ts";
import { judgeAccess } from "./judge-access.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { judgeMethod } from "./judge-method.ts";
import { judgeName } from "./judge-name.ts";
import { judgeRedirect } from "./judge-redirect.ts";
import { judgeTcp } from "./judge-tcp.ts";
import { judgeTime } from "./judge-time.ts";
import { judgeTls } from "./judge-tls.ts";

export interface Diagnosis {
  readonly checks: readonly Check[];
  /** `unreached`: nothing takes connections where the URL leads. */
  readonly conclusion: "well" | "failed" | "unreached";
  /** The sample itself got 200 within the limit, from whoever answered. */
  readonly acknowledged: boolean;
}

/** Judges what was seen on the way to a receiver, a step at a time. */
export function diagnose(observed: Observed): Diagnosis {
  const checks = CHECKS.map((check): Check => ({ check, ...JUDGES[check](observed) }));
  const { delivered, limit } = observed;
  return {
    checks,
    conclusion: conclude(checks),
    acknowledged: delivered !== undefined && isAcknowledged(delivered.outcome) && delivered.millis <= limit,
  };
}

const JUDGES: Readonly<Record<Check["check"], (observed: Observed) => Judgement>> = {
  name: judgeName,
  tcp: judgeTcp,
  tls: judgeTls,
  method: judgeMethod,
  access: judgeAccess,
  redirect: judgeRedirect,
  answer: judgeAnswer,
  time: judgeTime,
};

function conclude(checks: readonly Check[]): Diagnosis["conclusion"] {
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  if (failed.includes("name") || failed.includes("tcp")) return "unreached";
  return failed.length === 0 ? "well" : "failed";
}
