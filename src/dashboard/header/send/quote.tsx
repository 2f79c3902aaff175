import type { JSX } from "preact";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { available } from "../../../gateway/domain/kes.ts";
import { counted, money } from "../../format.ts";
import { Facts } from "../../parts/lists.tsx";
import { account } from "../../store.ts";
import type { Draft } from "./draft.ts";
import { previewAirtime, previewSms, type Price, type Pricing, type Recipient, type SmsPreview } from "./preview.ts";

interface QuoteProps {
  readonly draft: Draft;
  readonly pricing: Pricing;
  readonly recipient: Recipient;
  readonly onWrite: (change: Partial<Draft>) => void;
}

/** What the order would cost, and what the gateway would refuse. */
export function Quote({ draft, pricing, recipient, onWrite }: QuoteProps): JSX.Element {
  return (
    <section class="stack close" aria-label="Price">
      {draft.operation === "sms" ? (
        <SmsQuote preview={previewSms(draft.message, recipient, pricing)} pricing={pricing} onWrite={onWrite} />
      ) : (
        <AirtimeQuote preview={previewAirtime(draft.amount, recipient, pricing)} />
      )}
    </section>
  );
}

function AirtimeQuote({ preview }: { readonly preview: ReturnType<typeof previewAirtime> }): JSX.Element {
  if (preview === undefined)
    return <p class="warm">Not an amount in digits with at most two decimals: the gateway answers 422.</p>;
  const { price, isWithinLimits, limits } = preview;
  return (
    <>
      <Facts of={[["Price", <PriceLine price={price} />]]} />
      {!isWithinLimits && (
        <p class="warm">
          Not between KES {money(limits.min)} and {money(limits.max)}: the gateway answers 422.
        </p>
      )}
    </>
  );
}

interface SmsQuoteProps extends Pick<QuoteProps, "pricing" | "onWrite"> {
  readonly preview: SmsPreview;
}

function SmsQuote({ preview, pricing, onWrite }: SmsQuoteProps): JSX.Element {
  const { measure, price, isTooLong, costly, plain } = preview;
  const { encoding, characters, units, parts } = measure;
  return (
    <>
      <Facts
        of={[
          ["Encoding", encoding],
          ["Characters", `${characters}${units === characters ? "" : `, counting as ${units}`}`],
          ["Parts", parts],
          ["Price", <PriceLine price={price} />],
        ]}
      />
      {characters === 0 && <p class="quiet">The message is empty: the gateway would answer 422.</p>}
      {isTooLong && (
        <p class="warm">
          {parts} parts are more than {pricing.max_sms_parts}: the gateway answers 422.
        </p>
      )}
      {costly.length > 0 && (
        <p>
          Outside the GSM alphabet, so that a part holds 70 characters:{" "}
          <bdi>{costly.map(({ character, count }) => `${nameOf(character)} ×${count}`).join(", ")}</bdi>
        </p>
      )}
      {plain !== undefined && (
        <p class="row">
          <button type="button" class="button small" onClick={() => onWrite({ message: plain.message })}>
            Use plain characters
          </button>
          {plain.measure.encoding}, {counted(plain.measure.parts, "part")}, {sayPrice(plain.price)}
        </p>
      )}
    </>
  );
}

/** "🚚 U+1F69A", or only the code of a character that cannot be seen. */
function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{C}\p{Z}]$/u.test(character) ? code : `${character} ${code}`;
}

/** "KES 1.60 with Safaricom", once for each price, and whether the balance is too low. */
function PriceLine({ price }: { readonly price: Price }): JSX.Element {
  const wallet = account.value?.reading.state?.wallet;
  const dearest = Math.max(0, ...price.map(({ price }) => price));
  const isShort = wallet !== undefined && dearest > available(wallet);
  return (
    <>
      <strong>{sayPrice(price)}</strong>
      {isShort && <span class="warm"> The wallet has KES {money(available(wallet))}: not enough.</span>}
    </>
  );
}

function sayPrice(price: Price): string {
  const [first] = price;
  if (first !== undefined && first.carriers.length > 2) return `KES ${money(first.price)} with every carrier`;
  return price
    .map(({ carriers, price }) => `KES ${money(price)} with ${carriers.map(carrierName).join(" and ")}`)
    .join(", ");
}
