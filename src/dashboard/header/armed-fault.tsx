import type { JSX } from "preact";
import { counted } from "../../gateway/domain/counted.ts";
import { lastFaultMet, nameOf, stopFault, waitingFaults } from "../actions/next-faults.ts";
import { hrefOf } from "../base/route.ts";
import { accountKey } from "../live/store.ts";
import { runAction } from "../parts/notices.tsx";

/** The request that met a fault of this tab, until it is opened, or the fault that waits for one. A live region, so it is always rendered. */
export function ArmedFault(): JSX.Element {
  return (
    <div class="armed" role="status">
      {lastFaultMet.value?.account === accountKey.value ? <MetFault /> : <WaitingFault />}
    </div>
  );
}

/** "Answer lost: show request". */
function MetFault(): JSX.Element | null {
  const { value: met } = lastFaultMet;
  if (met === undefined) return null;
  return (
    <span class="badge">
      <span class="row" title={met.name}>
        <span>{met.name}:</span> <a href={hrefOf({ view: "requests", item: met.requestId })}>show request</a>
      </span>
      <EndButton label={`Dismiss ${met.name}`} onEnd={() => void (lastFaultMet.value = undefined)} />
    </span>
  );
}

/** "Next request: answer lost". */
function WaitingFault(): JSX.Element | null {
  const [waiting, ...others] = waitingFaults.value;
  if (waiting === undefined) return null;
  const { fault, scenario, to, left, times } = waiting;
  const name = nameOf(fault).toLowerCase();
  const whose = to === undefined ? "" : ` to ${to}`;
  const which = times === 1 ? `Next request${whose}:` : `Next ${counted(left, "request")}${whose}:`;
  const cancel = (): void => void runAction(() => stopFault(accountKey.value ?? "", scenario));
  return (
    <span class="badge warm">
      <span class="row" title={`${which} ${name}`}>
        <span>{which}</span> <span>{name}</span>
      </span>
      {others.length > 0 && (
        <a href={hrefOf({ view: "failures" })} aria-label={`${counted(others.length, "other fault")} waiting`}>
          +{others.length}
        </a>
      )}
      <EndButton label={`Cancel ${name}${whose}`} onEnd={cancel} />
    </span>
  );
}

function EndButton({ label, onEnd }: { readonly label: string; readonly onEnd: () => void }): JSX.Element {
  return (
    <button type="button" class="link" aria-label={label} title={label} onClick={onEnd}>
      ✕
    </button>
  );
}
