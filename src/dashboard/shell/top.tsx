import type { JSX } from "preact";
import { available } from "../../domain/wallet.ts";
import { dayOf, money, timeOfDay } from "../format.ts";
import { goTo, hrefOf, route } from "../route.ts";
import { accountKey, accountNow, accounts, book } from "../store.ts";

export function Top(): JSX.Element {
  const state = book.value?.book.state;
  return (
    <header class="top">
      <a class="brand" href={hrefOf({ panel: "phones" })}>
        <Mark /> Kredo
      </a>
      <div class="facts">
        <AccountSwitch />
        {state !== undefined && (
          <>
            <a href={hrefOf({ panel: "wallet" })} title="What can be spent">
              KES <strong class="number">{money(available(state.wallet))}</strong>
            </a>
            <a href={hrefOf({ panel: "time" })} title={`${dayOf(accountNow.value)}, Nairobi; the clock is ${state.clock.mode}`}>
              <span class="number">{timeOfDay(accountNow.value)}</span>
              {state.clock.mode !== "real" && ` ${state.clock.mode}`}
            </a>
          </>
        )}
      </div>
    </header>
  );
}

function AccountSwitch(): JSX.Element {
  return (
    <label>
      <span class="visually-hidden">Account</span>
      <select
        value={accountKey.value}
        onChange={({ currentTarget }) => goTo({ panel: route.value.panel, query: { account: currentTarget.value } })}
      >
        {accounts.value.map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </select>
    </label>
  );
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6e4f" />
      <path d="M10 7v18M22 7 11 16l11 9" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
