import type { JSX } from "preact";
import type { ActiveScenario } from "../../../scenario/active-scenario.ts";
import { Badge } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { listPicks } from "./list-picks.ts";
import { draft, keepInAddress, write } from "./send-state.ts";

export function QuickPicks({ scenarios }: { readonly scenarios: readonly ActiveScenario[] }): JSX.Element {
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
        No active scenario waits for a number. The shipped one named magic-numbers has one for each thing that can go wrong:{" "}
        <a href={hrefOf({ panel: "scenarios" })}>load it</a>.
      </p>
    </section>
  );
}

function pick(phoneNumber: string): void {
  write({ phoneNumber });
  keepInAddress();
}
