import type { JSX } from "preact";
import { signal } from "@preact/signals";
import type { Profile } from "../../gateway/settings/profiles.ts";
import { shortKey } from "../base/format.ts";
import { Select } from "../parts/controls.tsx";
import { goTo, hrefOf, HOME, currentRoute, VIEWS } from "../base/route.ts";
import { worstProblems } from "../live/worst-problems.ts";
import { account, accountKey, accounts, profile } from "../live/store.ts";
import { Field } from "../parts/form.tsx";
import { Balance } from "./balance.tsx";
import { ArmedFault } from "./armed-fault.tsx";
import { FailNext } from "./fail-next.tsx";
import { ClockButton, ClockLine } from "./clock/clock.tsx";
import { isNarrow } from "../base/is-narrow.ts";
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
          <a class="row brand" aria-label="Kredo" href={hrefOf({ view: HOME })}>
            <Mark /> <span>Kredo</span>
          </a>
          <Navigation />
          {clock !== undefined && (
            <>
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
            </>
          )}
          <ArmedFault />
          <WhatIsSo />
        </div>
        {clock !== undefined && <ClockLine clock={clock} />}
      </header>
      {isSending.value && <SendDrawer onClose={() => void (isSending.value = false)} />}
    </>
  );
}

/** The account, its money and its clock, and how the gateway answers. */
function WhatIsSo(): JSX.Element {
  const clock = account.value?.reading.state?.clock;
  return (
    <div class="row bar-account">
      {!isNarrow.value && <AccountSwitch />}
      <Balance />
      {clock !== undefined && <ClockButton clock={clock} />}
      {profile.value && <ProfileChip shown={profile.value} />}
      <Settings>
        {isNarrow.value && (
          <Field label="Account">
            <AccountSwitch />
          </Field>
        )}
        {profile.value && <p class="quiet">{SHOWN_BY[profile.value][1]}</p>}
      </Settings>
    </div>
  );
}

/** How the gateway answers with each profile: on its chip, and whole. */
const SHOWN_BY: Readonly<Record<Profile, readonly [chip: string, whole: string]>> = {
  document: ["as documented", "The gateway answers as its specification says (profile document)."],
  sdk: ["as the SDKs show", "The gateway answers as the public pages and SDKs show (profile sdk)."],
  observed: ["as observed", "The gateway answers as the live gateway was seen to (profile observed)."],
};

function ProfileChip({ shown }: { readonly shown: Profile }): JSX.Element {
  return (
    <span class="badge profile" title={SHOWN_BY[shown][1]}>
      <span class="visually-hidden">The gateway answers </span>
      {SHOWN_BY[shown][0]}
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

/** Includes the account in the URL even if it does not exist. */
function AccountSwitch(): JSX.Element {
  const { value: shown } = accountKey;
  const keys = new Set([...accounts.value, ...(shown === undefined ? [] : [shown])]);
  return (
    <Select
      label="Account"
      value={shown}
      options={[...keys].map((key) => [key, shortKey(key, accounts.value)])}
      onChoose={(account) => goTo({ view: currentRoute.value.view, query: { ...currentRoute.value.query, account } })}
    />
  );
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6e4f" />
      <g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">
        <path d="M10 7v18M22 7 11 16l11 9" />
      </g>
    </svg>
  );
}
