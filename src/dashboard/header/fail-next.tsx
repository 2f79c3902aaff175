import { computed, signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FAULT_GROUPS, FAULTS, type Fault, findFault, writeFault } from "../../verdict/faults.ts";
import { accountClient } from "../api/sandbox.ts";
import { TextField } from "../parts/form.tsx";
import { attempt, problemOf } from "../parts/notices.tsx";
import { hrefOf } from "../route.ts";
import { account, accountKey } from "../store.ts";

/** The most common faults, with short names. */
const USUAL: readonly (readonly [id: string, name: string])[] = [
  ["reset-after-accept", "Answer lost"],
  ["refused-429", "Refused 429"],
  ["proxy-503", "Proxy 503"],
  ["callback-twice", "Callback twice"],
  ["callback-dropped", "No callback"],
  ["callback-late", "Late callback"],
  ["contradiction-after-success", "Contradicting callback"],
];

/** Faults that affect requests, not the account. */
const OF_REQUESTS = FAULTS.filter((fault) => "then" in fault);

/** Makes the next request fail: two clicks. Shows what waits for a request, and the request that met it. */
export function FailNext(): JSX.Element {
  const popover = useRef<HTMLDivElement>(null);
  const number = useSignal("");
  const times = useSignal("1");
  useStopSpent();
  const start = async (id: string): Promise<void> => {
    if (await startFault(id, { number: number.value, times: Number(times.value) || 1 })) popover.current?.hidePopover();
  };
  return (
    <>
      <button type="button" class="button small" popovertarget="fail-next" aria-haspopup="dialog">
        Fail next…
      </button>
      <div ref={popover} id="fail-next" popover="auto" role="dialog" class="stack" aria-label="Fail next request">
        <h2>Fail next request…</h2>
        <div class="row">
          {USUAL.map(([id, name]) => (
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
      </div>
      {waiting.value.map((one) => (
        <WaitingChip key={one.fault.id} waiting={one} />
      ))}
      {spent.value !== undefined && spent.value.account === accountKey.value && <SpentChip spent={spent.value} />}
    </>
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

/** What this page started, by account and fault: another's scenario is not the page's to stop. */
const started = new Set<string>();

/** Makes the next requests of a number, or of any, fail. Returns whether that succeeded. */
async function startFault(id: string, { number, times }: { number: string; times: number }): Promise<boolean> {
  const fault = findFault(id);
  const key = accountKey.value ?? "";
  if (fault === undefined) return false;
  const digits = number.replaceAll(/[\s+()-]/g, "").replace(/^0/, "254");
  const scenario = writeFault(fault, { ...(digits !== "" && { phone_number: digits }), first: times });
  started.add(`${key} ${id}`);
  return attempt(() => accountClient(key).post("scenarios?place=first", scenario));
}

interface Waiting {
  readonly fault: Fault;
  readonly left: number;
  readonly times: number;
  /** The last request that it affected. */
  readonly metBy?: string | undefined;
}

/** The faults among the active scenarios, however they were started. */
const active = computed((): readonly Waiting[] => {
  const reading = account.value?.reading;
  if (reading?.state === undefined) return [];
  const { scenarios, counters } = reading.state;
  return scenarios.flatMap(({ scenario: { name, rules = [] }, since }): Waiting[] => {
    const fault = findFault(name);
    const [rule] = rules;
    const times = rule?.when?.first;
    if (fault === undefined || rule === undefined || times === undefined) return [];
    const left = Math.max(0, times - (counters.get(`${name}/${rule.name}`) ?? 0));
    return [{ fault, times, left, metBy: left === times ? undefined : reading.lastMet(name, since) }];
  });
});

const waiting = computed(() => active.value.filter(({ left }) => left > 0));

interface Spent {
  readonly account: string;
  readonly name: string;
  readonly requestId: string;
}

/** The fault that last met a request, until it is dismissed. */
const spent = signal<Spent | undefined>(undefined);

/** Stops what this page started once it has met its requests, so that later answers do not name it. */
function useStopSpent(): void {
  useEffect(() => {
    const key = accountKey.value ?? "";
    for (const { fault, left, metBy } of active.value) {
      if (left > 0 || metBy === undefined || !started.delete(`${key} ${fault.id}`)) continue;
      spent.value = { account: key, name: nameOf(fault), requestId: metBy };
      // Another page may have stopped it meanwhile.
      void problemOf(() => stop(key, fault));
    }
  }, [active.value]);
}

function stop(key: string, { id }: Fault): Promise<unknown> {
  return accountClient(key).delete(`scenarios/${encodeURIComponent(id)}`);
}

function nameOf({ id, words }: Fault): string {
  return USUAL.find(([usual]) => usual === id)?.[1] ?? words;
}

/** "Next request: answer lost". */
function WaitingChip({ waiting: { fault, left, times } }: { readonly waiting: Waiting }): JSX.Element {
  const name = nameOf(fault).toLowerCase();
  return (
    <span class="badge warm" role="status">
      {times === 1 ? "Next request" : `Next ${left} requests`}: {name}
      <button
        type="button"
        class="link"
        aria-label={`Cancel ${name}`}
        onClick={() => void attempt(() => stop(accountKey.value ?? "", fault))}
      >
        Cancel
      </button>
    </span>
  );
}

/** "Answer lost: show request". */
function SpentChip({ spent: { name, requestId } }: { readonly spent: Spent }): JSX.Element {
  return (
    <span class="badge" role="status">
      {name}: <a href={hrefOf({ view: "requests", item: requestId })}>show request</a>
      <button type="button" class="link" aria-label={`Dismiss ${name}`} onClick={() => void (spent.value = undefined)}>
        Dismiss
      </button>
    </span>
  );
}
