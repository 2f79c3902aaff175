import type { JSX } from "preact";
import type { Detector } from "../../../testing/shapes.ts";

/** Why it matters, how to mend it, and what is taken for granted. */
export function DetectorWords({ detector: { why, mend, assumes } }: { readonly detector: Detector }): JSX.Element {
  return (
    <dl class="finding-words">
      <div>
        <dt>Why it matters</dt>
        <dd>{why}</dd>
      </div>
      <div>
        <dt>How to mend it</dt>
        <dd>{mend}</dd>
      </div>
      <div>
        <dt>What it assumes</dt>
        <dd>{assumes}</dd>
      </div>
    </dl>
  );
}
