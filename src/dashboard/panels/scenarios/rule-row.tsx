import type { JSX } from "preact";
import { phone } from "../../format.ts";
import { hrefOf } from "../../route.ts";
import type { RuleWords } from "./rule-words.ts";
import type { Counted, RunningRule } from "./running.ts";

export interface RuleRowProps {
  readonly rule: RunningRule;
  readonly scenario: string;
  readonly words: RuleWords | undefined;
  readonly fired: number;
  /** Answers whether it was switched. */
  readonly onSwitch: (on: boolean) => Promise<boolean>;
}

/** One rule: whether it may fire, which requests it is about, what it does to them, and how often it did. */
export function RuleRow({ rule, scenario, words, fired, onSwitch }: RuleRowProps): JSX.Element {
  const { name, isOn, counted } = rule;
  const flip = async (box: HTMLInputElement): Promise<void> => {
    const wanted = box.checked;
    // The journal tells when it is switched; a refused change leaves the box as the rule is.
    if (!(await onSwitch(wanted))) box.checked = !wanted;
  };
  return (
    <li class={`rule ${isOn ? "" : "off"}`}>
      <label>
        <input type="checkbox" role="switch" checked={isOn} onChange={({ currentTarget }) => void flip(currentTarget)} />
        <bdi>{name}</bdi>
      </label>
      <p class="rule-words quiet">
        {words !== undefined && (
          <>
            <code dir="auto">{words.when === "" ? "every airtime and SMS request" : words.when}</code> <span aria-label="then">→</span>{" "}
            <span dir="auto">{words.effects}</span>
          </>
        )}
      </p>
      <div class="rule-counts">
        {fired > 0 && (
          <a href={hrefOf({ panel: "transactions", query: { text: `${scenario}: ${name}` } })}>fired {fired.toLocaleString("en")}×</a>
        )}
        {fired === 0 && <span class="quiet">not fired yet</span>}
        {counted !== undefined && <Counts counted={counted} />}
      </div>
    </li>
  );
}

const SUBJECTS = { phone_number: ["number", "numbers"], sender_id: ["sender ID", "sender IDs"] } as const;

/** Subjects of a counter that are listed. */
const MOST_SUBJECTS = 20;

function Counts({ counted: { per, total, each } }: { readonly counted: Counted }): JSX.Element {
  if (per === "account" || each.length === 0) return <span class="quiet">counted {total.toLocaleString("en")}</span>;
  const [one, many] = SUBJECTS[per];
  return (
    <details class="rule-subjects">
      <summary>
        counted {total.toLocaleString("en")} for {each.length.toLocaleString("en")} {each.length === 1 ? one : many}
      </summary>
      <ul>
        {each.slice(0, MOST_SUBJECTS).map(([subject, count]) => (
          <li key={subject}>
            <bdi>{phone(subject)}</bdi> <span class="number">{count}</span>
          </li>
        ))}
        {each.length > MOST_SUBJECTS && <li class="quiet">and {each.length - MOST_SUBJECTS} others, who counted earlier</li>}
      </ul>
    </details>
  );
}
