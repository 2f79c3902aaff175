import { Refused } from "../gateway/domain/refusal.ts";
import { EngineError, type EngineErrorKind } from "../gateway/engine/engine-error.ts";
import type { Json } from "./json.ts";
import type { PROBLEM } from "./values.ts";
import { HttpProblem, type ProblemStatus } from "./problem.ts";
import { NotTheOwner, OwnerLost, StoreOutage } from "../gateway/ports/journal-store.ts";

/**
 * Converts a thrown error to a response. An unexpected one is our bug, and is logged with a report id. `showingCall` returns the call that
 * shows what this one did.
 */
export function answerProblem(
  thrown: unknown,
  report: (fault: unknown) => string,
  showingCall: () => string = () => "GET /__admin/accounts",
): Response {
  // Whichever replica forwarded the call tries the new owner.
  if (thrown instanceof NotTheOwner) throw thrown;
  if (thrown instanceof HttpProblem) return answerHttpProblem(thrown);
  if (thrown instanceof EngineError)
    return answer(STATUSES[thrown.kind], { problem: thrown.message, repair: thrown.repair });
  if (thrown instanceof Refused) return answerRefused(thrown);
  if (thrown instanceof StoreOutage) {
    report(thrown);
    // Whoever asked must look first what a lost owner has done.
    if (thrown instanceof OwnerLost) return answer(503, { problem: thrown.message, repair: lookFirst(showingCall()) });
    return answer(503, { problem: thrown.message, repair: thrown.repair }, { "retry-after": "1" });
  }
  return answer(500, {
    problem: `the sandbox failed; its log contains report ${report(thrown)}`,
    repair: "please report it with that part of the log",
  });
}

function lookFirst(call: string): string {
  return `look whether it was: ${call}; then ask for what is left`;
}

const STATUSES: Readonly<Record<EngineErrorKind, ProblemStatus>> = {
  "not-found": 404,
  conflict: 409,
  invalid: 422,
  "timed-out": 408,
};

function answerHttpProblem({ status, message, repair, details }: HttpProblem): Response {
  const { headers, problems, fields } = details;
  return answer(status, { problem: message, repair, problems }, headers, fields);
}

function answerRefused({ code, message, details }: Refused): Response {
  const { hint, validationErrors = {}, headers } = details;
  const problems = Object.entries(validationErrors).flatMap(([path, sentences]) =>
    sentences.map((problem) => ({ path, problem, repair: REFUSAL_REPAIRS[code] ?? "change it" })),
  );
  const problem = problems[0]?.problem ?? (hint === undefined ? message : `${message} ${hint}`);
  return answer(
    code,
    {
      problem,
      repair: REFUSAL_REPAIRS[code] ?? "change the request",
      problems: problems.length > 0 ? problems : undefined,
    },
    headers,
  );
}

const REFUSAL_REPAIRS: Readonly<Record<number, string>> = {
  402: "top up the wallet, or order less",
  422: "change it, or ask for less",
};

function answer(
  status: number,
  { problem, repair, problems }: Omit<Json<typeof PROBLEM>, "status">,
  headers: Readonly<Record<string, string>> = {},
  fields: Readonly<Record<string, unknown>> = {},
): Response {
  return Response.json({ status, problem, repair, problems, ...fields }, { status, headers });
}
