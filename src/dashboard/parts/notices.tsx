import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { ControlError } from "../../control/client/control-client.ts";

interface NoticeProps {
  readonly tone: "good" | "warm" | "bad";
  readonly onDismiss?: () => void;
  readonly children: ComponentChildren;
}

/** A message in its place on the page, with a button if it can be dismissed. */
export function Notice({ tone, onDismiss, children }: NoticeProps): JSX.Element {
  return (
    <div class={`notice ${tone}`}>
      <div>{children}</div>
      {onDismiss !== undefined && (
        <button type="button" class="button small" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}

/**
 * The last line of the page: what became of the last action, in a row of its own, so that it covers nothing. A live region, rendered from
 * the start, otherwise screen readers ignore its updates.
 */
export function StatusLine(): JSX.Element {
  const { value } = currentNotice;
  return (
    <div class="status-line" role="status" aria-live="polite">
      {value !== undefined && (
        <>
          <p key={value.id} class={value.tone}>
            {value.text}
          </p>
          <button type="button" class="button small" onClick={() => void (currentNotice.value = undefined)}>
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}

/** What became of the user's last action, which screen readers announce. The next action replaces it. */
const currentNotice = signal<{ readonly id: number; readonly tone: "good" | "bad"; readonly text: string } | undefined>(
  undefined,
);

export function showNotice(kind: "done" | "problem", text: string): void {
  const notice = { id: (currentNotice.value?.id ?? 0) + 1, tone: kind === "done" ? "good" : "bad", text } as const;
  currentNotice.value = notice;
  setTimeout(
    () => {
      if (currentNotice.value === notice) currentNotice.value = undefined;
    },
    kind === "done" ? 5_000 : 12_000,
  );
}

/** Runs an action and shows a notice about its success or failure. Returns whether it succeeded. */
export async function runAction(action: () => Promise<unknown>, done?: string): Promise<boolean> {
  const problem = await problemOfAction(action);
  if (problem !== undefined) showNotice("problem", problem);
  else if (done !== undefined) showNotice("done", done);
  return problem === undefined;
}

/** Runs an action and shows the reason for a failure at its field. Returns whether it succeeded. */
export async function runActionAtField(
  problem: Signal<string | undefined>,
  action: () => Promise<unknown>,
  done?: string | (() => string),
): Promise<boolean> {
  problem.value = await problemOfAction(action);
  if (problem.value === undefined && done !== undefined) showNotice("done", typeof done === "string" ? done : done());
  return problem.value === undefined;
}

/** Runs an action. Returns the reason for a failure; undefined if it succeeded. */
export async function problemOfAction(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return explainError(error);
  }
}

/** Describes an error, in the control API's own words if it is a refusal. */
export function explainError(error: unknown): string {
  if (error instanceof ControlError) return error.message.replace(/^\d{3}: /, "");
  if (error instanceof TypeError) return "The sandbox does not answer. Is it still running?";
  return error instanceof Error ? error.message : String(error);
}
