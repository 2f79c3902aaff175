import { computed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { FAULT_GROUPS, FAULTS, type Fault, findFault, writeFault } from "../../verdict/faults.ts";
import { accountClient } from "../api/sandbox.ts";
import { attempt, attemptAt } from "../parts/notices.tsx";
import { Field } from "../parts/form.tsx";
import { hrefOf } from "../route.ts";
import { accountKey, account } from "../store.ts";

/** The most common faults, with short names. */
const USUAL: readonly (readonly [id: string, name: string])[] = [
  ["refused-429", "Refuse: 429"],
  ["proxy-503", "Refuse: 503"],
  ["reset-after-accept", "Lose the answer"],
  ["callback-twice", "Callback twice"],
  ["callback-dropped", "Callback never"],
  ["callback-late", "Callback late"],
  ["contradiction-after-success", "Callback contradicting"],
];

/** Faults that affect requests, not the account. */
const OF_REQUESTS = FAULTS.filter((fault) => "then" in fault);

/** Arms a fault for the next request. Shows the armed faults and the requests they affected. */
export function FailNext(): JSX.Element {
  return (
    <div class="row arm">
      {armed.value.map((one) => (
        <Chip key={one.fault.id} armed={one} />
      ))}
      <button type="button" class="button small" popovertarget="arm" aria-haspopup="dialog">
        Arm…
      </button>
      <ArmForm />
    </div>
  );
}

function ArmForm(): JSX.Element {
  const popover = useRef<HTMLFormElement>(null);
  const isUnderWay = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (popover.current === null) return;
    const scenario = readForm(new FormData(popover.current));
    if (scenario === undefined) return;
    isUnderWay.value = true;
    const isArmed = await attemptAt(problem, () =>
      accountClient(accountKey.value ?? "").post("scenarios?place=first", scenario),
    );
    isUnderWay.value = false;
    if (isArmed) popover.current.hidePopover();
  };
  return (
    <form
      ref={popover}
      id="arm"
      popover="auto"
      class="arm-form stack"
      aria-label="Arm the next request"
      onSubmit={(event) => void submit(event)}
    >
      <h2>Arm the next request</h2>
      <ArmFields problem={problem.value} />
      <div class="row">
        <button type="submit" class="button primary" disabled={isUnderWay.value}>
          Arm
        </button>
        <button type="button" class="button" popovertarget="arm" popovertargetaction="hide">
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Builds a scenario with one rule from the form. */
function readForm(written: FormData): ReturnType<typeof writeFault> | undefined {
  const text = (name: string): string => {
    const value = written.get(name);
    return typeof value === "string" ? value : "";
  };
  const fault = findFault(text("fault"));
  const number = text("number")
    .replaceAll(/[\s+()-]/g, "")
    .replace(/^0/, "254");
  return fault && writeFault(fault, { ...(number !== "" && { phone_number: number }), first: Number(text("times")) });
}

function ArmFields({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return (
    <>
      <Field label="What goes wrong">
        <FaultChoice />
      </Field>
      <Field label="Number" problem={problem} hint="Leave empty for any number. * matches any digits.">
        <input name="number" inputMode="tel" autocomplete="off" placeholder="any" />
      </Field>
      <Field label="How many requests">
        <input name="times" type="number" min="1" max="1000000" step="1" required value="1" />
      </Field>
    </>
  );
}

function FaultChoice(): JSX.Element {
  const isUsual = (fault: Fault): boolean => USUAL.some(([id]) => id === fault.id);
  return (
    <select name="fault">
      <optgroup label="usual">
        {USUAL.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
      {FAULT_GROUPS.map((group) => {
        const faults = OF_REQUESTS.filter((fault) => fault.group === group && !isUsual(fault));
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
  );
}

interface Armed {
  readonly fault: Fault;
  readonly times: number;
  readonly met: number;
  /** The last request that it affected. */
  readonly metBy?: string;
}

/** The faults among the active scenarios, however they were armed. */
const armed = computed((): Armed[] => {
  const current = account.value?.reading;
  if (current?.state === undefined) return [];
  const { scenarios, counters } = current.state;
  return scenarios.flatMap(({ scenario: { name, rules = [] }, since }): Armed[] => {
    const fault = findFault(name);
    const rule = rules[0];
    if (fault === undefined || rule === undefined) return [];
    const met = counters.get(`${name}/${rule.name}`) ?? 0;
    const times = rule.when?.first ?? 1;
    return [{ fault, times, met: Math.min(met, times), metBy: met === 0 ? undefined : current.lastMet(name, since) }];
  });
});

function Chip({ armed: { fault, times, met, metBy } }: { readonly armed: Armed }): JSX.Element {
  const name = USUAL.find(([id]) => id === fault.id)?.[1] ?? fault.words;
  const disarm = (): void =>
    void attempt(() => accountClient(accountKey.value ?? "").delete(`scenarios/${encodeURIComponent(fault.id)}`));
  const words = met < times ? `armed: ${name}${times > 1 ? `, ${times - met} of ${times} left` : ""}` : `met: ${name}`;
  return (
    <span class={`badge arm-chip ${met < times ? "warm" : "plain"}`} role="status">
      {metBy === undefined ? (
        <span dir="auto">{words}</span>
      ) : (
        <a href={hrefOf({ view: "requests", item: metBy })}>{words}</a>
      )}
      <button type="button" aria-label={`${met < times ? "Disarm" : "Forget"} ${name}`} onClick={disarm}>
        ×
      </button>
    </span>
  );
}
