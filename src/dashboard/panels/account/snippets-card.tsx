import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Copyable } from "../../parts/parts.tsx";
import { route, setQuery } from "../../route.ts";
import { caller } from "../../store.ts";
import { type Snippet, SNIPPETS } from "./snippets.ts";

/** Programs that buy airtime with this account: one tab for each language, the chosen one in the address. */
export function SnippetsCard(): JSX.Element | null {
  const chosen = SNIPPETS.find(({ language }) => language === route.value.query["language"]) ?? SNIPPETS[0];
  if (chosen === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="account-snippets">
      <h2 id="account-snippets">Use it from your code</h2>
      <Tabs chosen={chosen} />
      <div role="tabpanel" id="account-snippet" aria-labelledby={`snippet-${chosen.language}`} class="stack">
        <Copyable text={chosen.write(caller())} label={`the ${chosen.title} program`} />
        <p class="quiet">{chosen.run}</p>
        <p class="quiet">It buys KES 50 of airtime for +254 712 345 678, with nothing but what comes with its language.</p>
      </div>
    </section>
  );
}

/** Arrow keys go from tab to tab, as the pattern for tabs in the ARIA Authoring Practices Guide has it. */
function Tabs({ chosen }: { readonly chosen: Snippet }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const index = SNIPPETS.indexOf(chosen);
  const choose = (to: number): void => {
    const next = SNIPPETS[(to + SNIPPETS.length) % SNIPPETS.length];
    if (next === undefined) return;
    setQuery({ language: next.language });
    list.current?.querySelector<HTMLElement>(`#snippet-${next.language}`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-labelledby="account-snippets"
      class="account-tabs"
      onKeyDown={(event) => step(event, index, choose)}
    >
      {SNIPPETS.map(({ language, title }, at) => (
        <button
          key={language}
          type="button"
          role="tab"
          id={`snippet-${language}`}
          aria-selected={at === index}
          aria-controls="account-snippet"
          tabIndex={at === index ? 0 : -1}
          onClick={() => choose(at)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function step(event: KeyboardEvent, index: number, choose: (to: number) => void): void {
  const to: Readonly<Record<string, number>> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: SNIPPETS.length - 1 };
  const wanted = to[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  choose(wanted);
}
