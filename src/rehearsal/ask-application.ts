import { fill, fillJson, type Values } from "./placeholders.ts";
import type { RequestBody, ApplicationRequest, ProbeSource, ShellCommand } from "./rehearsal.ts";
import type { Reply } from "./reply.ts";
import type { RehearsalEnvironment } from "./rehearsal-environment.ts";

/** What asking an application takes. */
export type AskEnvironment = Pick<RehearsalEnvironment, "call" | "shell" | "gateway" | "application" | "interruption">;

/** Sends a request to the application, or runs a command about it. */
export function askApplication(source: ProbeSource, environment: AskEnvironment, values: Values): Promise<Reply> {
  return source.via === "request" ? callApplication(source.request, environment, values) : runCommand(source.run, environment, values);
}

export function callApplication(
  { method, url, headers, body, timeout }: ApplicationRequest,
  { call }: Pick<AskEnvironment, "call">,
  values: Values,
): Promise<Reply> {
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

/** Captured values are passed as environment variables, because braces in a command line belong to the shell. */
export function runCommand({ command, timeout }: ShellCommand, environment: AskEnvironment, values: Values): Promise<Reply> {
  return environment.shell({ command, environment: shellVariables(environment, values), limit: timeout }, environment.interruption);
}

/** The variables that tell a command the sandbox, the application and the captured values. */
export function shellVariables(
  { gateway, application }: Pick<RehearsalEnvironment, "gateway" | "application">,
  values: Values,
): Record<string, string> {
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

function writeBody(body: RequestBody, values: Values): { text: string; headers: Record<string, string> } {
  if ("text" in body) return { text: fill(body.text, values), headers: {} };
  return { text: JSON.stringify(fillJson(body.json, values)), headers: { "content-type": "application/json" } };
}
