import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { Confirm } from "./dialogs.tsx";
import { runAction, runActionAtField, showNotice } from "./notices.tsx";

interface FormProps {
  /** The accessible name. */
  readonly label: string;
  /** The fields. Receives why the last attempt was rejected, for the field that it is about. */
  readonly children: (problem: string | undefined) => ComponentChildren;
  readonly submit: string;
  /** The button's label until the action is over. */
  readonly busy?: string;
  readonly onSubmit: (written: FormData) => Promise<unknown>;
  /** The notice after success. */
  readonly done?: string | (() => string);
  /** Puts the button beside a single field. */
  readonly isLine?: boolean;
  /** What stands beside the button, which is a quiet one then. */
  readonly beside?: ComponentChildren;
}

/** A form with one button, which keeps the focus while it is busy. */
export function Form({ label, children, isLine = false, beside, onSubmit, done, ...button }: FormProps): JSX.Element {
  const problem = useSignal<string | undefined>(undefined);
  const [isBusy, run] = useBusy();
  const look = beside === undefined ? (isLine ? "button" : "button primary") : "button small";
  const submit = (
    <button type="submit" class={look} aria-disabled={isBusy.value || undefined}>
      {isBusy.value ? (button.busy ?? button.submit) : button.submit}
    </button>
  );
  return (
    <form
      class={isLine ? "field-line" : "stack"}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const written = new FormData(event.currentTarget);
        run(() => runActionAtField(problem, () => onSubmit(written), done));
      }}
    >
      {children(problem.value)}
      {beside === undefined ? (
        submit
      ) : (
        <div class="row">
          {submit}
          {beside}
        </div>
      )}
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

interface AskingButtonProps {
  readonly label: string;
  /** The question, and the label of the button that answers it. */
  readonly title: string;
  readonly goAhead: string;
  /** Resolves to the notice after success. */
  readonly onGoAhead: () => Promise<string>;
  readonly deletes?: boolean;
  /** What the action does. */
  readonly children: ComponentChildren;
}

/** A button that asks before something is lost for good. It is red if it only deletes. */
export function AskingButton({ label, onGoAhead, deletes = false, ...question }: AskingButtonProps): JSX.Element {
  const isAsking = useSignal(false);
  const close = (): void => void (isAsking.value = false);
  const goOn = async (): Promise<void> => {
    const done = onGoAhead();
    close();
    await runAction(async () => showNotice("done", await done));
  };
  return (
    <>
      <button type="button" class={`button small${deletes ? " bad" : ""}`} onClick={() => void (isAsking.value = true)}>
        {label}
      </button>
      {isAsking.value && <Confirm {...question} deletes onGoAhead={() => void goOn()} onCancel={close} />}
    </>
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
  /** Beside the label: what is to be known of the value. */
  readonly note?: string | undefined;
  readonly hint?: ComponentChildren;
  /** Why the value was rejected. */
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled field. */
export function Field({ label, note, hint, problem, children }: FieldProps): JSX.Element {
  return (
    <label class={problem === undefined ? "field" : "field invalid"}>
      <span>
        {label}
        {note !== undefined && <span class="warm"> · {note}</span>}
      </span>
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
export function TextField({ label, note, hint, problem, value, onWrite, ...input }: TextFieldProps): JSX.Element {
  return (
    <Field label={label} note={note} hint={hint} problem={problem}>
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
