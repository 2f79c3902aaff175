import type { JSX } from "preact";
import { dismiss, notices } from "../notices.ts";

/** A live region: it is there from the start, so that screen readers hear what is put into it. */
export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
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
