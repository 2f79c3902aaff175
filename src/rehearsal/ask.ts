import { fill, fillJson, type Values } from "./placeholders.ts";
import type { AskBody, HttpAsk, Question, ShellCommand } from "./rehearsal.ts";
import type { Reply } from "./reply.ts";
import type { Stage } from "./stage.ts";

/** Asks the application, or a command about it. */
export function ask(question: Question, stage: Stage, values: Values): Promise<Reply> {
  return question.via === "request" ? callApplication(question.ask, stage, values) : runCommand(question.run, stage, values);
}

export function callApplication({ method, url, headers, body, timeout }: HttpAsk, { call }: Stage, values: Values): Promise<Reply> {
  const written = body && writeBody(body, values);
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, values)]);
  return call({
    method,
    url: fill(url, values),
    headers: { ...written?.headers, ...Object.fromEntries(filled) },
    limit: timeout,
    ...(written && { body: written.text }),
  });
}

/** What was captured comes as variables: the braces of a command line are its shell's. */
export function runCommand({ command, timeout }: ShellCommand, stage: Stage, values: Values): Promise<Reply> {
  return stage.shell({ command, environment: environmentOf(stage, values), limit: timeout }, stage.interruption);
}

/** What a command finds the sandbox, the application and the captured values by. */
export function environmentOf({ gateway, application }: Pick<Stage, "gateway" | "application">, values: Values): Record<string, string> {
  const captured = [...values].map(([name, value]) => [
    `KREDO_CAPTURED_${name.toUpperCase()}`,
    fill(`{${name}}`, new Map([[name, value]])),
  ]);
  return {
    KREDO_URL: gateway.url,
    KREDO_BASE_URL: `${gateway.url}/api/v2`,
    KREDO_CONSUMER_KEY: gateway.consumerKey,
    KREDO_CONSUMER_SECRET: gateway.consumerSecret,
    ...(application !== undefined && { KREDO_APP: application }),
    ...Object.fromEntries(captured),
  };
}

function writeBody(body: AskBody, values: Values): { text: string; headers: Record<string, string> } {
  if ("text" in body) return { text: fill(body.text, values), headers: {} };
  return { text: JSON.stringify(fillJson(body.json, values)), headers: { "content-type": "application/json" } };
}
