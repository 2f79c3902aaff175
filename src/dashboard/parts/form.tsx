import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { runAction, runActionAtField } from "./notices.tsx";

interface FormProps {
  /** The accessible name. */
  readonly label: string;
  /** The fields. Receives why the last attempt was rejected, for the field that it is about. */
  readonly children: (problem: string | undefined) => ComponentChildren;
  readonly submit: string;
  /** The button's label until the action is over. */
  readonly busy?: string;
  readonly onSubmit: () => Promise<unknown>;
  /** The notice after success. */
  readonly done?: string | (() => string);
  /** Puts the button beside a single field. */
  readonly isLine?: boolean;
}

/** A form with one button, which keeps the focus while it is busy. */
export function Form({ label, children, submit, busy, onSubmit, done, isLine = false }: FormProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const [isBusy, run] = useBusy();
  return (
    <form
      class={isLine ? "field-line" : "stack"}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        run(() => runActionAtField(problem, onSubmit, done));
      }}
    >
      {children(problem.value)}
      <button type="submit" class={isLine ? "button" : "button primary"} aria-disabled={isBusy.value || undefined}>
        {isBusy.value ? (busy ?? submit) : submit}
      </button>
    </form>
  );
}

interface ActionButtonProps extends Omit<JSX.IntrinsicElements["button"], "onClick"> {
  readonly onAct: () => Promise<unknown>;
  /** The label until the action is over. */
  readonly busy?: string;
  /** The notice after success. */
  readonly done?: string;
}

/** A button that runs an action, once at a time, and shows a notice about its failure. It keeps the focus while it is busy. */
export function ActionButton({ onAct, busy, done, children, ...button }: ActionButtonProps): JSX.Element {
  const [isBusy, run] = useBusy();
  return (
    <button
      type="button"
      class="button"
      {...button}
      aria-disabled={isBusy.value || undefined}
      onClick={() => run(() => runAction(onAct, done))}
    >
      {isBusy.value ? (busy ?? children) : children}
    </button>
  );
}

/** Returns whether an action is under way, and a function that runs one unless it is. A disabled button would lose the focus. */
function useBusy(): [Signal<boolean>, (action: () => Promise<unknown>) => void] {
  const isBusy = useSignal(false);
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    await action();
    isBusy.value = false;
  };
  return [isBusy, (action) => void run(action)];
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Why the value was rejected. */
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled field. */
export function Field({ label, hint, problem, children }: FieldProps): JSX.Element {
  return (
    <label class={problem === undefined ? "field" : "field invalid"}>
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
      <small role="alert" class="field-problem">
        {problem}
      </small>
    </label>
  );
}

type TextFieldProps = Omit<FieldProps, "children"> &
  JSX.IntrinsicElements["input"] & { readonly value: string; readonly onWrite: (text: string) => void };

/** A labelled single-line field. */
export function TextField({ label, hint, problem, value, onWrite, ...input }: TextFieldProps): JSX.Element {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <input
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        {...input}
        value={value}
        onInput={({ currentTarget }) => onWrite(currentTarget.value)}
      />
    </Field>
  );
}
