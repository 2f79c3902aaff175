/** What came of asking the application something. */
export type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** No whole answer; `wasReached` says whether anybody was there at all. */
  | { readonly kind: "silent"; readonly reason: string; readonly wasReached: boolean }
  | { readonly kind: "exited"; readonly code: number; readonly text: string; readonly complaint: string }
  | { readonly kind: "cut short"; readonly reason: string };

/** What a reply says, or why it says nothing: a status of 200 to 299, or the one that is wanted; an exit code of 0. */
export function readReply(reply: Reply, status?: number): { readonly text: string } | { readonly wrong: string } {
  switch (reply.kind) {
    case "answered":
      return isAsWanted(reply.status, status) ? { text: reply.text } : { wrong: `answered ${reply.status}${excerpt(reply.text)}` };
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

/** Undefined for a text that is no JSON. */
export function readJson(text: string): { readonly value: unknown } | undefined {
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

function isAsWanted(status: number, wanted: number | undefined): boolean {
  return wanted === undefined ? status >= 200 && status < 300 : status === wanted;
}
