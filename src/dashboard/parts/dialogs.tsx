import type { ComponentChildren, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A drawer at the side of the page. Escape and the button close it, and the focus returns to where it was. */
export function Drawer({ title, onClose, children }: DrawerProps): JSX.Element {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="drawer" aria-label={title} onCancel={onClose}>
      <header class="spread">
        <h2>{title}</h2>
        <button type="button" class="button small" onClick={onClose}>
          Close
        </button>
      </header>
      <div class="stack">{children}</div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** The label of the confirming button: "Drop it". */
  readonly goAhead: string;
  readonly onGoAhead: () => void;
  readonly onCancel: () => void;
  /** Whether something is lost for good. */
  readonly deletes?: boolean;
  readonly children: ComponentChildren;
}

/** Asks for confirmation. Escape and the first button cancel. */
export function Confirm({ title, goAhead, onGoAhead, onCancel, deletes = false, children }: ConfirmProps): JSX.Element {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="confirm stack" aria-label={title} onCancel={onCancel}>
      <h2>{title}</h2>
      {children}
      <div class="row">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class={`button ${deletes ? "bad" : "primary"}`} onClick={onGoAhead}>
          {goAhead}
        </button>
      </div>
    </dialog>
  );
}

/** Opens a dialog at its first field, or its first button. Closes it while it is still in the document, so that the browser can restore the focus. */
function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    const field = current?.querySelector<HTMLElement>("input, select, textarea");
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
    return () => current?.close();
  }, []);
  return dialog;
}
