import type { JSX } from "preact";
import { signal } from "@preact/signals";
import { available } from "../../gateway/domain/kes.ts";
import { clockTime, dayOf, money, shortKey, zoneWords } from "../format.ts";
import { goTo, hrefOf, HOME, route } from "../route.ts";
import { Drawer } from "../parts/dialogs.tsx";
import { loadedLater } from "../parts/loaded-later.tsx";
import { accountKey, accountNow, accounts, account } from "../store.ts";
import { Navigation } from "./navigation.tsx";
import { Settings } from "./settings.tsx";

/** Loaded later, because the list of faults would slow down the first paint. */
const FailNext = loadedLater(
  async () => (await import("./fail-next.tsx")).FailNext,
  () => (
    <button type="button" class="button small" disabled>
      Fail next…
    </button>
  ),
);
const Send = loadedLater(async () => (await import("./send/send-panel.tsx")).SendPanel);
const Clock = loadedLater(async () => (await import("./clock/time-panel.tsx")).TimePanel);

/** What is open over the views. */
export const opened = signal<"send" | "clock" | undefined>(undefined);

export function Header(): JSX.Element {
  const state = account.value?.reading.state;
  return (
    <header class="top">
      <a class="brand" href={hrefOf({ view: HOME })}>
        <Mark /> Kredo
      </a>
      <Navigation />
      {state !== undefined && (
        <div class="row">
          <button type="button" class="button small" onClick={() => void (opened.value = "send")}>
            Send…
          </button>
          <FailNext />
        </div>
      )}
      <div class="row top-account">
        <AccountSwitch />
        {state !== undefined && (
          <>
            <a href={hrefOf({ view: "account" })} title="Available balance">
              KES <strong class="number">{money(available(state.wallet))}</strong>
            </a>
            <button
              type="button"
              class="button small"
              title={`${dayOf(accountNow.value)} ${zoneWords()}; the clock is ${state.clock.mode}`}
              onClick={() => void (opened.value = "clock")}
            >
              <span class="number">{clockTime(accountNow.value)}</span>
              {state.clock.mode !== "real" && ` ${state.clock.mode}`}
            </button>
          </>
        )}
        <Settings />
      </div>
      {opened.value !== undefined && (
        <Drawer title={opened.value === "send" ? "Send" : "Clock"} onClose={() => void (opened.value = undefined)}>
          {opened.value === "send" ? <Send /> : <Clock />}
        </Drawer>
      )}
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
        onChange={({ currentTarget }) => goTo({ view: route.value.view, query: { account: currentTarget.value } })}
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
