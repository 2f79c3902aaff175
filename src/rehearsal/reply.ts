import { isTooDeepJson } from "../document/nesting.ts";

/** The application's answer to a question, or why there was none. */
export type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** No complete answer; `wasReached` says whether a connection was made. */
  | { readonly kind: "silent"; readonly reason: string; readonly wasReached: boolean }
  | { readonly kind: "exited"; readonly code: number; readonly text: string; readonly complaint: string }
  | { readonly kind: "cut short"; readonly reason: string };

/** The text of a good reply (a status of 200 to 299 or the expected one, exit code 0), or what is wrong with it. */
export function readReply(reply: Reply, status?: number): { readonly text: string } | { readonly wrong: string } {
  switch (reply.kind) {
    case "answered":
      return isExpectedStatus(reply.status, status) ? { text: reply.text } : { wrong: `answered ${reply.status}${excerpt(reply.text)}` };
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

/** Whether the application has no such route, or not for this method. */
export function isNoEndpoint(reply: Reply): reply is Extract<Reply, { kind: "answered" }> {
  return reply.kind === "answered" && [404, 405, 501].includes(reply.status);
}

/** Undefined if the text is not JSON, or nested too deep to look into. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  if (isTooDeepJson(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The first line or so of a longer text, for a sentence. */
export function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "";
  return `: ${line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line}`;
}

const EXCERPT = 160;

function isExpectedStatus(status: number, expected: number | undefined): boolean {
  return expected === undefined ? status >= 200 && status < 300 : status === expected;
}
