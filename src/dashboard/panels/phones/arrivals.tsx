import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AccountDetail } from "../../../control-client/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { phone } from "../../format.ts";
import { book } from "../../store.ts";
import type { Settled } from "./phone-book.ts";
import { phones } from "./shown-phones.ts";
import { sayArrivals } from "./words.ts";

/** Wall milliseconds between two announcements: many at once are told together. */
const BREATH = 2_000;

/** A live region that tells what arrives while the panel is open. */
export function Arrivals({ consumerKey }: { readonly consumerKey: string }): JSX.Element {
  const [said, say] = useState({ count: 0, text: "" });
  useEffect(() => announce(consumerKey, (text) => say(({ count }) => ({ count: count + 1, text }))), [consumerKey]);
  return (
    <p class="visually-hidden" role="status" aria-live="polite" aria-label="Arrivals">
      <bdi key={said.count}>{said.text}</bdi>
    </p>
  );
}

/** Says what arrives from now on; what the journal has had already when the panel opened is no news. */
function announce(consumerKey: string, say: (text: string) => void): () => void {
  let knownUpTo = Infinity;
  let untold: Settled[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    if (untold.length === 0) return;
    say(sayArrivals(untold, phone));
    untold = [];
    timer = setTimeout(tell, BREATH);
  };
  void versionOf(consumerKey).then((version) => void (knownUpTo = version));
  const stop = effect(() => {
    const arrived = phones.value?.arrived ?? [];
    if ((book.value?.book.version ?? 0) <= knownUpTo) return;
    untold.push(...arrived);
    if (timer === undefined) tell();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Nobody announces anything for an account that cannot be asked: the banner says what is the matter. */
async function versionOf(consumerKey: string): Promise<number> {
  try {
    return (await sandbox().get<AccountDetail>(`accounts/${encodeURIComponent(consumerKey)}`)).journal_version;
  } catch {
    return Infinity;
  }
}
