import type { JSX } from "preact";
import { money } from "../../format.ts";
import { previewAirtime, type Recipient } from "./preview.ts";
import { PriceLine } from "./price.tsx";
import type { Pricing } from "./pricing.ts";
import { draft } from "./send-state.ts";

/** What airtime costs after the discount. */
export function AirtimeQuote({ pricing, recipient }: { readonly pricing: Pricing; readonly recipient: Recipient }): JSX.Element {
  const preview = previewAirtime(draft.value.amount, recipient, pricing);
  if (preview === undefined) return <p class="quote warn">Not shillings in digits with at most two decimals: the gateway answers 422.</p>;
  const { limits } = preview;
  return (
    <section class="quote" aria-label="Price">
      <dl>
        <dt>Price</dt>
        <dd>
          <PriceLine price={preview.price} />
        </dd>
      </dl>
      {!preview.isWithinLimits && (
        <p class="warn">
          Not between KES {money(limits.min)} and {money(limits.max)}: the gateway answers 422.
        </p>
      )}
    </section>
  );
}
