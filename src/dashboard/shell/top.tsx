import type { JSX } from "preact";
import { available } from "../../gateway/domain/kes.ts";
import { clockTime, dayOf, money, shortKey, zoneWords } from "../format.ts";
import { goTo, hrefOf, HOME, route } from "../route.ts";
import { loadedLater } from "../parts/loaded-later.tsx";
import { accountKey, accountNow, accounts, account } from "../store.ts";

/** Loaded later, because the list of faults would slow down the first paint. */
const Arm = loadedLater(
  async () => (await import("./arm.tsx")).Arm,
  () => (
    <button type="button" class="button small" disabled>
      Arm…
    </button>
  ),
);

export function Top(): JSX.Element {
  const state = account.value?.reading.state;
  return (
    <header class="top">
      <a class="brand" href={hrefOf({ panel: HOME })}>
        <Mark /> Kredo
      </a>
      <div class="facts">
        {state !== undefined && <Arm />}
        <AccountSwitch />
        {state !== undefined && (
          <>
            <a href={hrefOf({ panel: "wallet" })} title="Available balance">
              KES <strong class="number">{money(available(state.wallet))}</strong>
            </a>
            <a
              href={hrefOf({ panel: "time" })}
              title={`${dayOf(accountNow.value)} ${zoneWords()}; the clock is ${state.clock.mode}`}
            >
              <span class="number">{clockTime(accountNow.value)}</span>
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
        title={accountKey.value}
        onChange={({ currentTarget }) => goTo({ panel: route.value.panel, query: { account: currentTarget.value } })}
      >
        {shownKeys().map((key) => (
          <option key={key} value={key} title={key}>
            {shortKey(key, accounts.value)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the accounts to choose from. Includes the one in the URL even if it does not exist. */
function shownKeys(): readonly string[] {
  const { value: shown } = accountKey;
  return shown === undefined || accounts.value.includes(shown) ? accounts.value : [...accounts.value, shown];
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6e4f" />
      <path
        d="M10 7v18M22 7 11 16l11 9"
        fill="none"
        stroke="#fff"
        stroke-width="4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
