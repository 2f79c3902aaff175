import { effect, type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ControlError } from "../../../control/client/control-client.ts";
import type { Clock, Pending } from "../../../control/client/shapes.ts";
import { formatInstant } from "../../../gateway/domain/time.ts";
import { accountClient } from "../../api/sandbox.ts";
import { dayOf, timeOfDay, zoneWords } from "../../format.ts";
import { Refresher } from "../../live/refresher.ts";
import { explain, tell } from "../../parts/notices.tsx";
import { FirstCommand } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { accountKey, accountNow, account } from "../../store.ts";
import { type Coming, readComing, waitWords } from "./words.ts";

export function PendingCard(): JSX.Element | null {
  const pending = usePending().value;
  const state = account.value?.reading.state;
  if (state === undefined || pending === undefined) return null;
  const coming = readComing(pending.next, state);
  return (
    <section class="card stack" aria-labelledby="time-pending">
      <header class="row time-pending-head">
        <h2 id="time-pending">Pending</h2>
        <span class="quiet">{counted(coming.length, pending.total)}</span>
        <Drain />
      </header>
      {coming.length > 0 ? <ComingTable coming={coming} /> : <NothingComing />}
      {state.stuck > 0 && (
        <p class="quiet">
          <a href={hrefOf({ view: "requests", query: { state: "stuck" } })}>
            {state.stuck} {state.stuck === 1 ? "never settles" : "never settle"}
          </a>
          , because a scenario says so.
        </p>
      )}
    </section>
  );
}

function counted(shown: number, total: number): string {
  if (total === 0) return "";
  return shown < total ? `the next ${shown} of ${total.toLocaleString("en")}` : total.toLocaleString("en");
}

function ComingTable({ coming }: { readonly coming: readonly Coming[] }): JSX.Element {
  return (
    <table class="time-table">
      <caption class="visually-hidden">Pending, soonest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">About</th>
        </tr>
      </thead>
      <tbody>
        {coming.map(({ at, what, about, place }, index) => (
          <tr key={index}>
            <td>
              <time dateTime={formatInstant(at)} title={`${dayOf(at)} ${timeOfDay(at)} ${zoneWords()}`}>
                {timeOfDay(at)} <span class="quiet">{waitWords(at - accountNow.value)}</span>
              </time>
            </td>
            <td>{what}</td>
            <td>
              <a href={hrefOf(place)} dir="auto">
                {about}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NothingComing(): JSX.Element {
  return (
    <>
      <p>Nothing is pending. An accepted request waits for its carrier's result, and then for its callback:</p>
      <FirstCommand />
    </>
  );
}

function Drain(): JSX.Element {
  const running = useSignal<AbortController | undefined>(undefined);
  const { value } = running;
  const drain = async (): Promise<void> => {
    running.value = new AbortController();
    await drainUntil(running.value.signal);
    running.value = undefined;
  };
  return value === undefined ? (
    <button
      type="button"
      class="button small"
      onClick={() => void drain()}
      title="Waits up to 30 s until nothing is queued, due or in progress"
    >
      Run until empty
    </button>
  ) : (
    <span class="row">
      <span role="status">Waiting until nothing is pending…</span>
      <button type="button" class="button small" onClick={() => value.abort()}>
        Stop waiting
      </button>
    </span>
  );
}

async function drainUntil(stopped: AbortSignal): Promise<void> {
  const call = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ within: "30s" }),
    signal: stopped,
  };
  try {
    const answer = await accountClient(accountKey.value ?? "").open("drain", call);
    if (!answer.ok) throw new ControlError(answer.status, await answer.json());
    tell("done", "Nothing is queued, due or in progress.");
  } catch (error) {
    if (stopped.aborted) tell("done", "Stopped waiting. What was due is still due.");
    else tell("problem", explain(error));
  }
}

/** Reads what is pending, again whenever the account has changed. */
function usePending(): Signal<Pending | undefined> {
  const pending = useSignal<Pending | undefined>(undefined);
  const key = accountKey.value;
  useEffect(() => {
    if (key === undefined) return;
    const refresher = new Refresher(async () => {
      try {
        pending.value = (await accountClient(key).get<Clock>("clock")).pending;
      } catch {
        // The banner already says that the connection is lost.
      }
    });
    const stopFollowing = effect(() => {
      void account.value;
      refresher.ask();
    });
    return () => {
      stopFollowing();
      refresher.stop();
    };
  }, [key]);
  return pending;
}
