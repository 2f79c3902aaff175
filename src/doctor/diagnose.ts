import { isAcknowledged } from "../domain/callback-outcome.ts";
import { type Check, CHECKS, type CheckResult } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { checkAccess } from "./check-access.ts";
import { checkAnswer } from "./check-answer.ts";
import { checkMethod } from "./check-method.ts";
import { checkName } from "./check-name.ts";
import { checkRedirect } from "./check-redirect.ts";
import { checkTcp } from "./check-tcp.ts";
import { checkTime } from "./check-time.ts";
import { checkTls } from "./check-tls.ts";

export interface Diagnosis {
  readonly checks: readonly Check[];
  /** `unreachable`: nothing accepts connections at the URL. */
  readonly conclusion: "ok" | "failed" | "unreachable";
  /** Whether the sample got 200 within the limit, whatever answered it. */
  readonly acknowledged: boolean;
}

/** Runs every check on the observations. */
export function diagnose(observed: Observations): Diagnosis {
  const checks = CHECKS.map((check): Check => ({ check, ...CHECK_FUNCTIONS[check](observed) }));
  const { delivered, limit } = observed;
  return {
    checks,
    conclusion: conclude(checks),
    acknowledged: delivered !== undefined && isAcknowledged(delivered.outcome) && delivered.millis <= limit,
  };
}

const CHECK_FUNCTIONS: Readonly<Record<Check["check"], (observed: Observations) => CheckResult>> = {
  name: checkName,
  tcp: checkTcp,
  tls: checkTls,
  method: checkMethod,
  access: checkAccess,
  redirect: checkRedirect,
  answer: checkAnswer,
  time: checkTime,
};

function conclude(checks: readonly Check[]): Diagnosis["conclusion"] {
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  if (failed.includes("name") || failed.includes("tcp")) return "unreachable";
  return failed.length === 0 ? "ok" : "failed";
}
