import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { ControlError } from "../../control/client/control-client.ts";

/** A live region, rendered from the start, otherwise screen readers ignore its updates. `depth` is the number of open drawers up to it. */
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

/** Messages about what the user just did, which screen readers announce. */
const notices = signal<readonly Notice[]>([]);

/** The number of open drawers. Only the topmost one can be reached and is read aloud, so it shows the notices. */
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

/** Runs an action and shows a notice about its success or failure. Returns whether it succeeded. */
export async function attempt(action: () => Promise<unknown>, done?: string): Promise<boolean> {
  const problem = await problemOf(action);
  if (problem !== undefined) tell("problem", problem);
  else if (done !== undefined) tell("done", done);
  return problem === undefined;
}

/** Runs an action and shows the reason for a failure at its field. Returns whether it succeeded. */
export async function attemptAt(
  problem: Signal<string | undefined>,
  action: () => Promise<unknown>,
  done?: string,
): Promise<boolean> {
  problem.value = await problemOf(action);
  if (problem.value === undefined && done !== undefined) tell("done", done);
  return problem.value === undefined;
}

/** Runs an action. Returns the reason for a failure; undefined if it succeeded. */
export async function problemOf(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

/** Describes an error, in the control API's own words if it is a refusal. */
export function explain(error: unknown): string {
  if (error instanceof ControlError) return error.message.replace(/^\d{3}: /, "");
  if (error instanceof TypeError) return "The sandbox does not answer. Is it still running?";
  return error instanceof Error ? error.message : String(error);
}
