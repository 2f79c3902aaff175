import type { JSX } from "preact";
import { available } from "../../../domain/wallet.ts";
import { money } from "../../format.ts";
import { CARRIER_NAMES } from "../../parts/parts.tsx";
import { book } from "../../store.ts";
import type { Price } from "./preview.ts";

/** "KES 1.60 with Safaricom"; each of several, and whether the wallet can pay. */
export function PriceLine({ price }: { readonly price: Price }): JSX.Element {
  const wallet = book.value?.book.state?.wallet;
  const dearest = Math.max(0, ...price.map(({ price }) => price));
  const isShort = wallet !== undefined && dearest > available(wallet);
  return (
    <>
      <strong>{sayPrice(price)}</strong>
      {isShort && <span class="short"> The wallet has KES {money(available(wallet))}: not enough.</span>}
    </>
  );
}

export function sayPrice(price: Price): string {
  const [first] = price;
  if (first !== undefined && first.carriers.length > 2) return `KES ${money(first.price)} with every carrier`;
  return price
    .map(({ carriers, price }) => `KES ${money(price)} with ${carriers.map((carrier) => CARRIER_NAMES[carrier]).join(" and ")}`)
    .join(", ");
}
