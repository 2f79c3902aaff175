import { Refused } from "../../domain/refusal.ts";
import { ControlProblem } from "../../engine/control-problem.ts";
import { HttpProblem } from "../problem.ts";

/** Turns what was thrown into its answer; what nobody foresaw is a fault of our own, which the log has under a report's name. */
export function answerProblem(thrown: unknown, report: (fault: unknown) => string): Response {
  if (thrown instanceof HttpProblem) return answerHttpProblem(thrown);
  if (thrown instanceof ControlProblem) return answer(thrown.status, { problem: thrown.message, repair: thrown.repair });
  if (thrown instanceof Refused) return answerRefused(thrown);
  return answer(500, {
    problem: `the sandbox failed; its log has report ${report(thrown)}`,
    repair: "please report it with that part of the log",
  });
}

function answerHttpProblem({ status, message, repair, details }: HttpProblem): Response {
  const { headers = {}, problems, fields } = details;
  return answer(status, { problem: message, repair, ...(problems && { problems }), ...fields }, headers);
}

function answerRefused({ code, message, details }: Refused): Response {
  const { hint, validationErrors = {}, headers } = details;
  const problems = Object.entries(validationErrors).flatMap(([path, sentences]) =>
    sentences.map((problem) => ({ path, problem, repair: REFUSAL_REPAIRS[code] ?? "change it" })),
  );
  const problem = problems[0]?.problem ?? (hint === undefined ? message : `${message} ${hint}`);
  return answer(
    code,
    { problem, repair: REFUSAL_REPAIRS[code] ?? "change the request", ...(problems.length > 0 && { problems }) },
    headers,
  );
}

const REFUSAL_REPAIRS: Readonly<Record<number, string>> = { 402: "top the wallet up first", 422: "change it, or ask for less" };

function answer(status: number, body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ status, ...body }, { status, headers });
}
