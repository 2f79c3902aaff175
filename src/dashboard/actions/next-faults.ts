import { computed, effect, signal } from "@preact/signals";
import { type Fault, faultOf, findFault, writeFault } from "../../verdict/faults.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { counterValue } from "../../gateway/account/counters.ts";
import { accountClient } from "../api/sandbox.ts";
import { runAction, problemOfAction } from "../parts/notices.tsx";
import { currentRoute } from "../base/route.ts";
import { account, accountKey } from "../live/store.ts";

/** The most common faults, with short names. */
export const COMMON_FAULTS: readonly (readonly [id: string, name: string])[] = [
  ["reset-after-accept", "Answer lost"],
  ["refused-429", "Refused 429"],
  ["proxy-503", "Proxy 503"],
  ["callback-twice", "Callback twice"],
  ["callback-dropped", "No callback"],
  ["callback-late", "Late callback"],
  ["contradiction-after-success", "Contradicting callback"],
];

const STARTED = "kredo-started-faults";

/** What this tab started, by account and scenario, also before a reload: another's scenario is not the page's to stop. */
const started = new Set<string>(JSON.parse(sessionStorage.getItem(STARTED) ?? "[]"));

function remember(): void {
  sessionStorage.setItem(STARTED, JSON.stringify([...started]));
}

/** Makes the next requests of a number, or of any, fail. Returns whether that succeeded. */
export async function startFault(id: string, number = "", times = 1): Promise<boolean> {
  const fault = findFault(id);
  const key = accountKey.value ?? "";
  if (fault === undefined) return false;
  const digits = number.replaceAll(/[\s+()-]/g, "").replace(/^0/, "254");
  const scenario = writeFault(fault, { ...(digits !== "" && { phone_number: digits }), first: times });
  started.add(`${key} ${scenario.name}`);
  remember();
  lastFaultMet.value = undefined;
  return runAction(() => accountClient(key).post("scenarios?place=first", scenario));
}

export interface WaitingFault {
  readonly fault: Fault;
  /** The name of its scenario. */
  readonly scenario: string;
  /** The only phone number that it waits for. */
  readonly to?: string | undefined;
  readonly left: number;
  readonly times: number;
  /** The last request that it affected. */
  readonly metBy?: string | undefined;
}

/** The faults among the active scenarios, however they were started; without any request left, they are spent. */
export const active = computed((): readonly WaitingFault[] => {
  const reading = account.value?.reading;
  if (reading?.state === undefined) return [];
  const { state } = reading;
  return state.scenarios.flatMap(({ scenario: { name, rules = [] }, since }): WaitingFault[] => {
    const fault = faultOf(name);
    const [{ name: rule, when = {} } = { name: "" }] = rules;
    const { first: times, phone_number: to } = when;
    if (fault === undefined || times === undefined) return [];
    const left = Math.max(0, times - counterValue(state, `${name}/${rule}`));
    const metBy = left === times ? undefined : reading.lastMet(name, since);
    return [{ fault, scenario: name, to: typeof to === "string" ? to : undefined, times, left, metBy }];
  });
});

/** The faults that wait for a request. */
export const waitingFaults = computed(() => active.value.filter(({ left }) => left > 0));

/** "Next request: answer lost" */
export function describeWaiting({ fault, to, left, times }: WaitingFault): string {
  const whose = to === undefined ? "" : ` to ${to}`;
  return `${times === 1 ? "Next request" : `Next ${counted(left, "request")}`}${whose}: ${nameOf(fault).toLowerCase()}`;
}

export interface FaultMet {
  readonly account: string;
  readonly name: string;
  readonly requestId: string;
}

/** The fault that last met a request, until that is opened, it is dismissed, or another one is started. */
export const lastFaultMet = signal<FaultMet | undefined>(undefined);

effect(() => {
  if (currentRoute.value.item === lastFaultMet.value?.requestId) lastFaultMet.value = undefined;
});

// Stops what this page started once it has met its requests, so that later answers do not name it.
effect(() => {
  const key = accountKey.value ?? "";
  for (const { fault, scenario, left, metBy } of active.value) {
    if (left > 0 || metBy === undefined || !started.delete(`${key} ${scenario}`)) continue;
    remember();
    lastFaultMet.value = { account: key, name: nameOf(fault), requestId: metBy };
    // Another page may have stopped it meanwhile.
    void problemOfAction(() => stopFault(key, scenario));
  }
});

export function stopFault(key: string, scenario: string): Promise<unknown> {
  return accountClient(key).delete(`scenarios/${encodeURIComponent(scenario)}`);
}

export function nameOf({ id, words }: Fault): string {
  return COMMON_FAULTS.find(([usual]) => usual === id)?.[1] ?? words;
}
