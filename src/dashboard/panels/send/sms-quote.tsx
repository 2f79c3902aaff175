import type { JSX } from "preact";
import type { CostlyCharacter } from "../../../domain/sms-parts.ts";
import { previewSms, type Recipient, type SmsPreview } from "./preview.ts";
import { PriceLine, sayPrice } from "./price.tsx";
import type { Pricing } from "./pricing.ts";
import { draft, keepInAddress, write } from "./send-state.ts";

/** How the message counts and what it costs, as it is written; and what makes it dear. */
export function SmsQuote({ pricing, recipient }: { readonly pricing: Pricing; readonly recipient: Recipient }): JSX.Element {
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
      {message === "" && <p class="quiet">Nothing is written yet: the gateway would answer 422.</p>}
      {isTooLong && (
        <p class="warn">
          {parts} parts are more than {pricing.maxSmsParts}: the gateway answers 422.
        </p>
      )}
      {costly.length > 0 && <Costly characters={costly} />}
      {plain !== undefined && <Plain plain={plain} />}
    </section>
  );
}

/** More than these are counted and not listed. */
const LISTED = 12;

function Costly({ characters }: { readonly characters: readonly CostlyCharacter[] }): JSX.Element {
  return (
    <>
      <table>
        <caption>Outside the GSM alphabet, so that all of it goes as UCS-2, with 70 characters in a part</caption>
        <thead>
          <tr>
            <th scope="col">Character</th>
            <th scope="col">Times</th>
            <th scope="col">Plain spelling</th>
          </tr>
        </thead>
        <tbody>
          {characters.slice(0, LISTED).map(({ character, count, cheaper }) => (
            <tr key={character}>
              <th scope="row">
                {isSeen(character) && <bdi class="character">{character}</bdi>} <code>{codeOf(character)}</code>
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
        Spell it plainly
      </button>
      <span>
        {measure.encoding}, {measure.parts} {measure.parts === 1 ? "part" : "parts"}, {sayPrice(price)}
      </span>
    </div>
  );
}

function isSeen(character: string): boolean {
  return !/^[\p{C}\p{Z}]$/u.test(character);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function sayCheaper(cheaper: string | undefined): JSX.Element {
  if (cheaper === undefined) return <span class="quiet">none</span>;
  if (cheaper === "") return <>leave it out</>;
  return cheaper.trim() === "" ? <>a plain space or line end</> : <code>{cheaper}</code>;
}
