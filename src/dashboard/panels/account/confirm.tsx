import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

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
  // It is closed while it is still in the page: from there the browser gives the focus back.
  useLayoutEffect(() => {
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
