import type { JSX } from "preact";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import type { CostlyCharacter } from "../../../gateway/domain/sms-parts.ts";
import { available } from "../../../gateway/domain/kes.ts";
import { money } from "../../format.ts";
import { account } from "../../store.ts";
import { previewAirtime, previewSms, type Price, type Pricing, type Recipient, type SmsPreview } from "./preview.ts";
import { draft, keepInAddress, write } from "./send-state.ts";

export function SmsQuote({
  pricing,
  recipient,
}: {
  readonly pricing: Pricing;
  readonly recipient: Recipient;
}): JSX.Element {
  const { message } = draft.value;
  const { measure, price, isTooLong, costly, plain } = previewSms(message, recipient, pricing);
  const { encoding, characters, units, parts } = measure;
  return (
    <section class="quote" aria-label="Price">
      <dl>
        <dt>Encoding</dt>
        <dd>{encoding}</dd>
        <dt>Characters</dt>
        <dd>
          {characters}
          {units !== characters && <span class="quiet"> counting as {units}</span>}
        </dd>
        <dt>Parts</dt>
        <dd>{parts}</dd>
        <dt>Price</dt>
        <dd>
          <PriceLine price={price} />
        </dd>
      </dl>
      {message === "" && <p class="quiet">The message is empty: the gateway would answer 422.</p>}
      {isTooLong && (
        <p class="warn">
          {parts} parts are more than {pricing.max_sms_parts}: the gateway answers 422.
        </p>
      )}
      {costly.length > 0 && <Costly characters={costly} />}
      {plain !== undefined && <Plain plain={plain} />}
    </section>
  );
}

/** Further characters are counted but not listed. */
const LISTED = 12;

function Costly({ characters }: { readonly characters: readonly CostlyCharacter[] }): JSX.Element {
  return (
    <>
      <table>
        <caption>Outside the GSM alphabet: the whole message is sent as UCS-2, with 70 characters per part</caption>
        <thead>
          <tr>
            <th scope="col">Character</th>
            <th scope="col">Times</th>
            <th scope="col">GSM-7 replacement</th>
          </tr>
        </thead>
        <tbody>
          {characters.slice(0, LISTED).map(({ character, count, cheaper }) => (
            <tr key={character}>
              <th scope="row">
                {!/^[\p{C}\p{Z}]$/u.test(character) && <bdi class="character">{character}</bdi>}{" "}
                <code>{codeOf(character)}</code>
              </th>
              <td>{count}</td>
              <td>{sayCheaper(cheaper)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {characters.length > LISTED && <p class="quiet">And {characters.length - LISTED} more.</p>}
    </>
  );
}

function Plain({ plain }: { readonly plain: NonNullable<SmsPreview["plain"]> }): JSX.Element {
  const { message, measure, price } = plain;
  const spell = (): void => {
    write({ message });
    keepInAddress();
  };
  return (
    <div class="row">
      <button type="button" class="button small" onClick={spell}>
        Use plain characters
      </button>
      <span>
        {measure.encoding}, {measure.parts} {measure.parts === 1 ? "part" : "parts"}, {sayPrice(price)}
      </span>
    </div>
  );
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function sayCheaper(cheaper: string | undefined): JSX.Element {
  if (cheaper === undefined) return <span class="quiet">none</span>;
  if (cheaper === "") return <>remove it</>;
  return cheaper.trim() === "" ? <>a plain space or line break</> : <code>{cheaper}</code>;
}

export function AirtimeQuote({
  pricing,
  recipient,
}: {
  readonly pricing: Pricing;
  readonly recipient: Recipient;
}): JSX.Element {
  const preview = previewAirtime(draft.value.amount, recipient, pricing);
  if (preview === undefined)
    return <p class="quote warn">Not an amount in digits with at most two decimals: the gateway answers 422.</p>;
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

/** "KES 1.60 with Safaricom", once for each price, and whether the balance is too low. */
function PriceLine({ price }: { readonly price: Price }): JSX.Element {
  const wallet = account.value?.reading.state?.wallet;
  const dearest = Math.max(0, ...price.map(({ price }) => price));
  const isShort = wallet !== undefined && dearest > available(wallet);
  return (
    <>
      <strong>{sayPrice(price)}</strong>
      {isShort && <span class="short"> The wallet has KES {money(available(wallet))}: not enough.</span>}
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
