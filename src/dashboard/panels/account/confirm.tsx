import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface ConfirmProps {
  readonly title: string;
  /** What the button that goes ahead says: "Drop it". */
  readonly goAhead: string;
  readonly onGoAhead: () => void;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
}

/** Asks once more before something is gone for good. Escape and the first button leave all as it is. */
export function Confirm({ title, goAhead, onGoAhead, onCancel, children }: ConfirmProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} class="account-dialog stack" aria-label={title} onCancel={onCancel}>
      <h2>{title}</h2>
      {children}
      <div class="row">
        <button type="button" class="button" onClick={onCancel}>
          Keep it as it is
        </button>
        <button type="button" class="button account-danger" onClick={onGoAhead}>
          {goAhead}
        </button>
      </div>
    </dialog>
  );
}
