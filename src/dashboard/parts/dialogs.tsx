import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Notices, openDrawers } from "./notices.tsx";

interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A sheet at the side of the page, for one thing: Escape and the button close it, and the focus goes back where it was. */
export function Drawer({ title, onClose, children }: DrawerProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const depth = useSignal(-1);
  // It is closed while it is still in the page: from there the browser gives the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    openDrawers.value += 1;
    depth.value = openDrawers.value;
    return () => {
      openDrawers.value -= 1;
      current?.close();
    };
  }, []);
  return (
    <dialog ref={dialog} class="drawer" aria-label={title} onCancel={onClose}>
      <header class="spread">
        <h2>{title}</h2>
        <button type="button" class="button small" onClick={onClose}>
          Close
        </button>
      </header>
      <div class="stack">{children}</div>
      <Notices depth={depth.value} />
    </dialog>
  );
}

interface ConfirmProps {
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
    <dialog ref={dialog} class="confirm stack" aria-label={title} onCancel={onCancel}>
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
