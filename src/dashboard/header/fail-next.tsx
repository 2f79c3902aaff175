import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { findFault } from "../../verdict/faults.ts";
import { TextField } from "../parts/form.tsx";
import { closePopover, Popover } from "../parts/popover.tsx";
import { ROW_STEPS } from "../base/keys.ts";
import { hrefOf } from "../base/route.ts";
import { startFault, COMMON_FAULTS } from "../actions/next-faults.ts";

/** Makes the next request fail: two clicks, or two keys. */
export function FailNext(): JSX.Element {
  const number = useSignal("");
  const times = useSignal("1");
  const start = async (id: string): Promise<void> => {
    if (await startFault(id, number.value, Number(times.value) || 1)) closePopover("fail-next");
  };
  return (
    <Popover id="fail-next" label="Fail next request" title="Key: f" aria-keyshortcuts="f" shows="Fail next…">
      <div class="stack menu" role="group" aria-label="Common faults" onKeyDown={walk}>
        {COMMON_FAULTS.map(([id, name]) => (
          <button
            key={id}
            type="button"
            class="button small"
            title={findFault(id)?.words}
            onClick={() => void start(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="field-line">
        <TextField
          label="Only this number"
          inputMode="tel"
          placeholder="any"
          value={number.value}
          onWrite={(text) => void (number.value = text)}
        />
        <TextField
          label="How many requests"
          type="number"
          min="1"
          value={times.value}
          onWrite={(text) => void (times.value = text)}
        />
      </div>
      <a href={hrefOf({ view: "failures" })} onClick={() => closePopover("fail-next")}>
        All faults
      </a>
    </Popover>
  );
}

/** The arrow keys go from one fault to another, and not from row to row as elsewhere. */
function walk(event: KeyboardEvent): void {
  const step = ROW_STEPS[event.key];
  if (step === undefined || !(event.target instanceof Element)) return;
  event.preventDefault();
  event.stopPropagation();
  const { nextElementSibling, previousElementSibling } = event.target;
  const next = step > 0 ? nextElementSibling : previousElementSibling;
  if (next instanceof HTMLElement) next.focus();
}
