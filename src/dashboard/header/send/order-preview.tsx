import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DryRun } from "../../../control/client/shapes.ts";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { accountClient } from "../../api/sandbox.ts";
import { moneyOf } from "../../base/format.ts";
import { Facts } from "../../parts/lists.tsx";
import { SmsParts } from "../../parts/sms-parts.tsx";
import { account, accountKey } from "../../live/store.ts";
import { bodyOfDraft, type Draft } from "../../actions/draft.ts";

/** Wall-clock milliseconds without a keystroke before the sandbox is asked. */
const ASK_AFTER_MILLIS = 100;

/** Asks the sandbox what would become of the order. Undefined until it has answered. */
export function useDryRun(draft: Draft): DryRun | undefined {
  const [answer, setAnswer] = useState<DryRun>();
  const key = accountKey.value ?? "";
  const { operation } = draft;
  const body = bodyOfDraft(draft);
  // A scenario can port the number or refuse the order.
  const scenarios = account.value?.reading.state?.scenarios;
  useEffect(() => {
    let isLatest = true;
    const ask = async (): Promise<void> => {
      const order = { operation, body: JSON.parse(body) };
      const next = await accountClient(key)
        .post("dry-run", order)
        .catch(() => undefined);
      if (isLatest) setAnswer(next);
    };
    const timer = setTimeout(() => void ask(), ASK_AFTER_MILLIS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [key, operation, body, scenarios]);
  return answer;
}

/** What the order would cost, and what would become of it. */
export function OrderPreview({ dryRun }: { readonly dryRun: DryRun }): JSX.Element {
  const { price, carrier, encoding, characters, units, parts, texts = [] } = dryRun;
  return (
    <section class="stack close" aria-label="Price">
      <Facts
        of={[
          ["Encoding", encoding],
          ["Characters", units === characters ? characters : `${characters}, counting as ${units}`],
          ["Parts", parts],
          ["Price", price !== undefined && carrier && `KES ${moneyOf(price)} with ${carrierName(carrier)}`],
        ]}
      />
      {texts.length > 1 && <SmsParts texts={texts} price={price} />}
      <Outcome dryRun={dryRun} />
    </section>
  );
}

function Outcome({ dryRun }: { readonly dryRun: DryRun }): JSX.Element | null {
  const { outcome, code, description, validation_errors: errors = {}, result_desc: result, rules } = dryRun;
  const why = rules.map(({ rule }) => `, by the rule ${rule}`).join("");
  if (outcome === "broken") return <p class="warm">The connection would be broken{why}.</p>;
  if (outcome === "accepted")
    return rules.length === 0 ? null : (
      <p class="quiet">
        Accepted{why}. {result}
      </p>
    );
  return (
    <p class="warm">
      The gateway would answer {code}
      {why}: {[description, ...Object.values(errors).flat()].join(" ")}
    </p>
  );
}
