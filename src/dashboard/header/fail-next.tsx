import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { FAULT_GROUPS, FAULTS } from "../../verdict/faults.ts";
import { TextField } from "../parts/form.tsx";
import { runAction } from "../parts/notices.tsx";
import type { Tone } from "../base/words.ts";
import { Popover } from "../parts/popover.tsx";
import { hrefOf } from "../base/route.ts";
import { accountKey } from "../live/store.ts";
import {
  nameOf,
  type FaultMet,
  lastFaultMet,
  startFault,
  stopFault,
  COMMON_FAULTS,
  type WaitingFault,
  waitingFaults,
} from "../actions/next-faults.ts";
import { counted } from "../../gateway/domain/counted.ts";

/** Faults that affect requests, not the account. */
const OF_REQUESTS = FAULTS.filter((fault) => "then" in fault);

/** Makes the next request fail: two clicks. */
export function FailNext(): JSX.Element {
  const number = useSignal("");
  const times = useSignal("1");
  const start = async (id: string): Promise<void> => {
    if (await startFault(id, number.value, Number(times.value) || 1))
      document.getElementById("fail-next")?.hidePopover();
  };
  return (
    <Popover id="fail-next" label="Fail next request" title="Key: f" aria-keyshortcuts="f" shows="Fail next…">
      <h2>Fail next request…</h2>
      <div class="row">
        {COMMON_FAULTS.map(([id, name]) => (
          <button key={id} type="button" class="button small" onClick={() => void start(id)}>
            {name}
          </button>
        ))}
      </div>
      <OtherFaults onChoose={(id) => void start(id)} />
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
    </Popover>
  );
}

/** What waits for a request, and what the last one met, on a line of their own. */
export function FaultChips(): JSX.Element {
  return (
    <div class="chips">
      {waitingFaults.value.map((one) => (
        <WaitingChip key={one.scenario} waiting={one} />
      ))}
      {lastFaultMet.value !== undefined && lastFaultMet.value.account === accountKey.value && (
        <MetChip met={lastFaultMet.value} />
      )}
    </div>
  );
}

function OtherFaults({ onChoose }: { readonly onChoose: (id: string) => void }): JSX.Element {
  return (
    <label class="field">
      <span>Another fault</span>
      <select value="" onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="" disabled>
          Choose one…
        </option>
        {FAULT_GROUPS.map((group) => {
          const faults = OF_REQUESTS.filter((fault) => fault.group === group && nameOf(fault) === fault.words);
          return faults.length === 0 ? null : (
            <optgroup key={group} label={group}>
              {faults.map(({ id, words }) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </optgroup>
          );
        })}
      </select>
    </label>
  );
}

/** "Next request: answer lost". */
function WaitingChip({
  waiting: { fault, scenario, to, left, times },
}: {
  readonly waiting: WaitingFault;
}): JSX.Element {
  const name = nameOf(fault).toLowerCase();
  const whose = to === undefined ? "" : ` to ${to}`;
  const cancel = (): Promise<boolean> => runAction(() => stopFault(accountKey.value ?? "", scenario));
  return (
    <Chip tone="warm" about={`${name}${whose}`} end="Cancel" onEnd={cancel}>
      {times === 1 ? `Next request${whose}:` : `Next ${counted(left, "request")}${whose}:`} {name}
    </Chip>
  );
}

/** "Answer lost: show request". */
function MetChip({ met: { name, requestId } }: { readonly met: FaultMet }): JSX.Element {
  return (
    <Chip tone="plain" about={name} end="Dismiss" onEnd={() => (lastFaultMet.value = undefined)}>
      {name}: <a href={hrefOf({ view: "requests", item: requestId })}>show request</a>
    </Chip>
  );
}

interface ChipProps {
  readonly tone: Tone;
  readonly about: string;
  /** The button that ends it. */
  readonly end: string;
  readonly onEnd: () => unknown;
  readonly children: ComponentChildren;
}

function Chip({ tone, about, end, onEnd, children }: ChipProps): JSX.Element {
  return (
    <span class={`badge ${tone}`} role="status">
      {children}
      <button type="button" class="link" aria-label={`${end} ${about}`} onClick={() => void onEnd()}>
        {end}
      </button>
    </span>
  );
}
