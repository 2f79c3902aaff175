import type { JSX } from "preact";
import { live } from "../store.ts";

/** Says aloud that what is shown may be old. The region stands from the start, so that screen readers hear it. */
export function Banner(): JSX.Element {
  const connection = live.value?.connection.value;
  return (
    <div role="status" aria-live="polite">
      {connection?.is === "lost" && <p class="banner">Connection lost, retrying…</p>}
      {connection?.is === "refused" && (
        <p class="banner">
          {connection.status === 404
            ? "This account is gone: it was dropped, or the sandbox began anew."
            : `The sandbox answered ${connection.status}.`}
        </p>
      )}
    </div>
  );
}
