import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { ControlError } from "../../control-client/control-client.ts";

/** A live region: it is there from the start, so that screen readers hear what is put into it. `depth` counts the drawers up to it. */
export function Notices({ depth = 0 }: { readonly depth?: number }): JSX.Element {
  const told = openDrawers.value === depth ? notices.value : [];
  return (
    <div class="notices" role="status" aria-live="polite">
      {told.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`}>
          <p>{text}</p>
          <button type="button" class="button small" onClick={() => dismiss(id)}>
            Close
          </button>
        </div>
      ))}
    </div>
  );
}

interface Notice {
  readonly id: number;
  readonly kind: "done" | "problem";
  readonly text: string;
}

/** What the page has to say about what was just done: read aloud by screen readers. */
const notices = signal<readonly Notice[]>([]);

/** How many drawers lie over the page. Nothing under the uppermost is reached or read aloud, so notices are told in that one. */
export const openDrawers = signal(0);

let last = 0;

export function tell(kind: Notice["kind"], text: string): void {
  last += 1;
  const notice = { id: last, kind, text };
  notices.value = [...notices.value.slice(-3), notice];
  setTimeout(() => dismiss(notice.id), kind === "done" ? 5_000 : 12_000);
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Does something that may be refused, and says which it was. Answers whether it was done. */
export async function attempt(action: () => Promise<unknown>, done?: string): Promise<boolean> {
  const problem = await problemOf(action);
  if (problem !== undefined) tell("problem", problem);
  else if (done !== undefined) tell("done", done);
  return problem === undefined;
}

/** Does something that may be refused; why it was stands at the field that is to be mended. Answers whether it was done. */
export async function attemptAt(problem: Signal<string | undefined>, action: () => Promise<unknown>, done?: string): Promise<boolean> {
  problem.value = await problemOf(action);
  if (problem.value === undefined && done !== undefined) tell("done", done);
  return problem.value === undefined;
}

/** Does something that may be refused, and answers why it was. */
export async function problemOf(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

/** A refusal in the control API's own words. */
export function explain(error: unknown): string {
  if (error instanceof ControlError) return error.message.replace(/^\d{3}: /, "");
  if (error instanceof TypeError) return "The sandbox does not answer. Is it still running?";
  return error instanceof Error ? error.message : String(error);
}
