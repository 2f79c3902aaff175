import type { JSX } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { RunningScenario } from "../../../gateway/scenario/running-scenario.ts";
import { Badge, Panel } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { accountKey, account } from "../../store.ts";
import { Answer } from "./answer.tsx";
import { listPicks } from "./draft.ts";
import { SendForm } from "./send-form.tsx";
import { beginDraft, draft, keepInAddress, readPrices, write } from "./send-state.ts";

export function SendPanel(): JSX.Element {
  const state = account.value?.reading.state;
  const scenarios = state?.scenarios ?? NONE;
  const key = accountKey.value ?? "";
  // An effect after the paint would overwrite what the user types as soon as the form appears or a field is left.
  useLayoutEffect(() => beginDraft(state?.senderIds.keys() ?? []), [route.value]);
  useEffect(() => readPrices(key, scenarios), [key, scenarios]);
  return (
    <Panel title="Send">
      <div class="send">
        <SendForm />
        <div class="stack">
          <Answer />
          <QuickPicks scenarios={scenarios} />
        </div>
      </div>
    </Panel>
  );
}

const NONE = [] as const;

function QuickPicks({ scenarios }: { readonly scenarios: readonly RunningScenario[] }): JSX.Element {
  const picks = listPicks(scenarios);
  if (picks.length === 0) return <NoPicks />;
  return (
    <section class="card picks">
      <table>
        <caption>Magic numbers</caption>
        <thead>
          <tr>
            <th scope="col">Send to</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {picks.map(({ phoneNumber, scenario, does, isOn }) => (
            <tr key={`${scenario} ${phoneNumber} ${does}`}>
              <th scope="row">
                <button
                  type="button"
                  class="button small"
                  aria-pressed={draft.value.phoneNumber === phoneNumber}
                  onClick={() => pick(phoneNumber)}
                >
                  {phoneNumber}
                </button>
              </th>
              <td>
                <span dir="auto">{does}</span> {!isOn && <Badge tone="warm">switched off</Badge>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function NoPicks(): JSX.Element {
  return (
    <section class="card">
      <p>
        No active scenario waits for a number. The shipped one named magic-numbers has one for each thing that can go
        wrong: <a href={hrefOf({ view: "failures" })}>load it</a>.
      </p>
    </section>
  );
}

function pick(phoneNumber: string): void {
  write({ phoneNumber });
  keepInAddress();
}
