import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Instant } from "../../gateway/domain/time.ts";
import { clockTime, dayOf, relative, timeOfDay, zoneWords } from "../base/format.ts";
import type { Tone } from "../base/words.ts";
import { accountNow } from "../live/store.ts";
import { showNotice } from "./notices.tsx";

interface MomentProps {
  readonly at: Instant;
  /** Defaults to the account's clock. */
  readonly now?: Instant;
  /** Shows the seconds alone; the rest is in the title. */
  readonly isShort?: boolean;
}

/** A moment in the selected time zone, and how long ago that is. */
export function Moment({ at, now = accountNow.value, isShort = false }: MomentProps): JSX.Element {
  const ago = relative(at, now);
  return (
    <time
      class="number"
      dateTime={new Date(at).toISOString()}
      title={`${dayOf(at)} ${timeOfDay(at)} ${zoneWords()}, ${ago}`}
    >
      {isShort ? clockTime(at) : timeOfDay(at)}
      {!isShort && <span class="quiet"> {ago}</span>}
    </time>
  );
}

export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Copyable({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="copyable">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({
  text,
  label,
  children = "Copy",
}: {
  text: string;
  label: string;
  children?: string;
}): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers allow copying only over HTTPS or on localhost.
      return showNotice(
        "problem",
        "The browser blocks copying on this page. Open it on localhost or over HTTPS, or select the text.",
      );
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button
      type="button"
      class="button small"
      onClick={() => void copy()}
      aria-label={children === "Copy" ? `Copy ${label}` : `${children}: ${label}`}
    >
      {isCopied ? "Copied" : children}
    </button>
  );
}

interface ViewProps {
  /** The heading, which the navigation shows; read aloud. */
  readonly title: string;
  readonly children: ComponentChildren;
}

export function View({ title, children }: ViewProps): JSX.Element {
  return (
    <section class="view" aria-label={title}>
      <h1 class="visually-hidden">{title}</h1>
      {children}
    </section>
  );
}

/** Where the gateway listens. A narrow page breaks it before its path. */
export function BaseUrl(): JSX.Element {
  return (
    <>
      {location.origin}
      <wbr />
      /api/v2
    </>
  );
}
