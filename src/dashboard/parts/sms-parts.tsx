import type { JSX } from "preact";
import { moneyOf } from "../base/format.ts";

interface SmsPartsProps {
  readonly texts: readonly string[];
  /** Of all parts, in shillings. */
  readonly price: number | undefined;
}

/** Where a message is cut, and what each part costs. */
export function SmsParts({ texts, price }: SmsPartsProps): JSX.Element {
  return (
    <ol class="list" aria-label="Parts">
      {texts.map((text, index) => (
        <li key={index} class="sms-part">
          <bdi>{text}</bdi>
          {price !== undefined && <span class="quiet number">KES {moneyOf(price / texts.length)}</span>}
        </li>
      ))}
    </ol>
  );
}
