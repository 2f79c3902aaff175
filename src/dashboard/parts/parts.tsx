import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Carrier } from "../../domain/carrier.ts";
import type { Kes } from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import { dayOf, money, relative, timeOfDay } from "../format.ts";
import { tell } from "../notices.ts";
import { accountNow } from "../store.ts";

/** A moment in Nairobi time, with how long ago that is: on the account's clock, unless it is told what another one shows. */
export function Moment({ at, now = accountNow.value }: { readonly at: Instant; readonly now?: Instant }): JSX.Element {
  return (
    <time dateTime={new Date(at).toISOString()} title={`${dayOf(at)} ${timeOfDay(at)} in Nairobi`}>
      {timeOfDay(at)} <span class="quiet">{relative(at, now)}</span>
    </time>
  );
}

export function Money({ amount }: { readonly amount: Kes }): JSX.Element {
  return <span class="number">{money(amount)}</span>;
}

export type Tone = "plain" | "good" | "warm" | "bad";

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export const CARRIER_NAMES: Readonly<Record<Carrier, string>> = { safaricom: "Safaricom", airtel: "Airtel", telkom: "Telkom" };

export function CarrierBadge({ carrier, ported }: { readonly carrier: Carrier; readonly ported: boolean }): JSX.Element {
  return <Badge tone={ported ? "warm" : "plain"}>{ported ? `${CARRIER_NAMES[carrier]}, ported` : CARRIER_NAMES[carrier]}</Badge>;
}

/** Text to be taken away whole, such as a command. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="copyable">
      <pre>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label, children = "Copy" }: { text: string; label: string; children?: ComponentChildren }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers keep it from pages that came by http from elsewhere than this machine.
      return tell("problem", "The browser keeps the clipboard from this page. Open it by localhost or https, or select the text.");
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()} aria-label={`Copy ${label}`}>
      {isCopied ? "Copied" : children}
    </button>
  );
}

/** What a panel says while it has nothing to show: what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The head of a panel, and what stands in it. */
export function Panel({ title, tools, children }: { title: string; tools?: ComponentChildren; children: ComponentChildren }): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <header class="spread">
        <h1>{title}</h1>
        {tools}
      </header>
      {children}
    </section>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: ComponentChildren; children: ComponentChildren }): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}
