import type { JSX } from "preact";
import { dismiss, notices, openDrawers } from "../notices.ts";

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
