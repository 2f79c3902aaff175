import { findJsonExcess } from "../../gateway/document/nesting.ts";
import type { CommandRunner } from "../command-runner.ts";
import type { HttpCaller, HttpReply } from "../http-caller.ts";
import { fill, fillJson, type Values } from "./placeholders.ts";
import { type ApplicationRequest, methodOf, type ShellCommand, type Source } from "./request.ts";

/** What is needed to talk to the application. */
export interface AskEnvironment {
  readonly call: HttpCaller;
  readonly shell: CommandRunner;
  /** Aborts running commands. */
  readonly interruption: AbortSignal;
  readonly gateway: GatewayAccess;
  /** The application's URL, without a trailing slash. */
  readonly application?: string;
}

/** How to call the gateway as the account. */
export interface GatewayAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** The application's answer to a question, or why there was none. */
export type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | Extract<HttpReply, { kind: "silent" }>
  | { readonly kind: "exited"; readonly code: number; readonly text: string; readonly complaint: string }
  | { readonly kind: "cut short"; readonly reason: string };

/** Sends a request to the application, or runs a command. */
export async function askApplication(
  { request, command }: Source,
  environment: AskEnvironment,
  values: Values,
): Promise<Reply> {
  if (request !== undefined) return callApplication(request, environment, values);
  if (command !== undefined) return runCommand(command, environment, values);
  throw new Error("neither a request nor a command");
}

export function callApplication(
  request: ApplicationRequest,
  { call }: Pick<AskEnvironment, "call">,
  values: Values,
): Promise<Reply> {
  const { url, headers = {}, json, body, timeout } = request;
  const text = json === undefined ? body && fill(body, values) : JSON.stringify(fillJson(json, values));
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, values)]);
  return call({
    method: methodOf(request),
    url: fill(url, values),
    headers: { ...(json !== undefined && { "content-type": "application/json" }), ...Object.fromEntries(filled) },
    limit: timeout,
    ...(text !== undefined && { body: text }),
  });
}

/** Captured values are passed as environment variables, because braces in a command line belong to the shell. */
export function runCommand(
  { run, timeout }: ShellCommand,
  environment: AskEnvironment,
  values: Values,
): Promise<Reply> {
  return environment.shell(
    { command: run, environment: shellVariables(environment, values), limit: timeout },
    environment.interruption,
  );
}

/** Returns the environment variables that describe the sandbox, the application and the captured values to a command. */
export function shellVariables(
  { gateway, application }: Pick<AskEnvironment, "gateway" | "application">,
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

/** Returns the text of a successful reply (a status of 200 to 299 or the expected one, or exit code 0), or what is wrong with it. */
export function readReply(reply: Reply, status?: number): { readonly text: string } | { readonly wrong: string } {
  switch (reply.kind) {
    case "answered":
      return isExpectedStatus(reply.status, status)
        ? { text: reply.text }
        : { wrong: `answered ${reply.status}${excerpt(reply.text)}` };
    case "exited":
      return reply.code === 0
        ? { text: reply.text }
        : { wrong: `the command ended with ${reply.code}${excerpt(reply.complaint || reply.text)}` };
    case "silent":
      return { wrong: `no answer (${reply.reason})` };
    case "cut short":
      return { wrong: `the command ${reply.reason}` };
  }
}

/** Returns whether the application has no such route, or not for this method. */
export function isNoEndpoint(reply: Reply): reply is Extract<Reply, { kind: "answered" }> {
  return reply.kind === "answered" && [404, 405, 501].includes(reply.status);
}

/** Parses JSON; returns undefined if the text is not JSON or is nested too deep. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  if (findJsonExcess(text) !== undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns about the first line of a text, for use in a sentence. */
export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "";
  return `: ${line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line}`;
}

const EXCERPT = 160;

function isExpectedStatus(status: number, expected: number | undefined): boolean {
  return expected === undefined ? status >= 200 && status < 300 : status === expected;
}
