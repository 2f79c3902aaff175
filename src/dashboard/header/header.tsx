import type { JSX } from "preact";
import { signal } from "@preact/signals";
import type { Profile } from "../../gateway/settings/profiles.ts";
import { shortKey } from "../base/format.ts";
import { Select } from "../parts/controls.tsx";
import { goTo, hrefOf, HOME, currentRoute, VIEWS } from "../base/route.ts";
import { worstProblems } from "../live/worst-problems.ts";
import { account, accountKey, accounts, profile } from "../live/store.ts";
import { Balance } from "./balance.tsx";
import { FailNext, FaultChips } from "./fail-next.tsx";
import { ClockButton, ClockLine } from "./clock/clock.tsx";
import { SendDrawer } from "./send/send-drawer.tsx";
import { Settings } from "./settings.tsx";

/** Whether the drawer in which orders are sent is open. */
const isSending = signal(false);

export function Header(): JSX.Element {
  const clock = account.value?.reading.state?.clock;
  return (
    <>
      <header class="top">
        <div class="row bar">
          <div class="home">
            <a class="row brand" href={hrefOf({ view: HOME })}>
              <Mark /> <span>Kredo</span>
            </a>
            <ProfileName />
          </div>
          <Navigation />
          {clock !== undefined && (
            <div class="row">
              <button
                type="button"
                class="button small"
                aria-keyshortcuts="s"
                title="Key: s"
                onClick={() => void (isSending.value = true)}
              >
                Send…
              </button>
              <FailNext />
            </div>
          )}
          <div class="row bar-account">
            <AccountSwitch />
            <Balance />
            {clock !== undefined && <ClockButton clock={clock} />}
            <Settings />
          </div>
        </div>
        <FaultChips />
        {clock !== undefined && <ClockLine clock={clock} />}
      </header>
      {isSending.value && <SendDrawer onClose={() => void (isSending.value = false)} />}
    </>
  );
}

const SHOWN_BY: Readonly<Record<Profile, string>> = {
  document: "as its specification says",
  sdk: "as the public pages and SDKs show",
  observed: "as the live gateway was seen to",
};

/** Names the profile of the gateway that runs. */
function ProfileName(): JSX.Element | null {
  const { value } = profile;
  if (value === undefined) return null;
  return (
    <span class="quiet" title={`The gateway answers ${SHOWN_BY[value]} (profile ${value}).`}>
      <span class="visually-hidden">Profile </span>
      {value}
    </span>
  );
}

function Navigation(): JSX.Element {
  const { view, unknown } = currentRoute.value;
  return (
    <nav class="tabs" aria-label="Views">
      {VIEWS.map(({ name, title, key }) => (
        <a
          key={name}
          href={hrefOf({ view: name })}
          aria-current={name === view && unknown === undefined ? "page" : undefined}
          aria-keyshortcuts={`g ${key}`}
        >
          {title}
          {name === "verdict" && <DefectBadge />}
        </a>
      ))}
    </nav>
  );
}

/** The number of defects, or of risks if there is no defect: the severities that can lose money. */
function DefectBadge(): JSX.Element | null {
  const worst = worstProblems.value;
  if (worst === undefined) return null;
  const { severity, count } = worst;
  return (
    <span class={`badge ${severity === "defect" ? "bad" : "warm"}`}>
      {count}{" "}
      <span class="visually-hidden">
        {severity}
        {count > 1 && "s"}
      </span>
    </span>
  );
}

function AccountSwitch(): JSX.Element {
  return (
    <Select
      label="Account"
      value={accountKey.value}
      options={shownKeys().map((key) => [key, shortKey(key, accounts.value)])}
      onChoose={(account) => goTo({ view: currentRoute.value.view, query: { ...currentRoute.value.query, account } })}
    />
  );
}

/** Returns the accounts to choose from. Includes the one in the URL even if it does not exist. */
function shownKeys(): readonly string[] {
  const { value: shown } = accountKey;
  return shown === undefined || accounts.value.includes(shown) ? accounts.value : [...accounts.value, shown];
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
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
