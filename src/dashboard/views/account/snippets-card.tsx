import type { JSX } from "preact";
import { Copyable } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { caller } from "../../store.ts";
import { SNIPPETS } from "./snippets.ts";
import { Tabs } from "../../parts/controls.tsx";

/** Shows programs that buy airtime with this account, with a tab for each language. The URL keeps the selected one. */
export function SnippetsCard(): JSX.Element | null {
  const chosen = SNIPPETS.find(({ language }) => language === route.value.query["language"]) ?? SNIPPETS[0];
  if (chosen === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="account-snippets">
      <h2 id="account-snippets">Use it from your code</h2>
      <Tabs
        name="language"
        label="Languages"
        tabs={SNIPPETS.map(({ language, title }) => ({ name: language, title }))}
        shown={chosen.language}
        panel="account-snippet"
      />
      <div role="tabpanel" id="account-snippet" aria-labelledby={`language-${chosen.language}`} class="stack">
        <Copyable text={chosen.write(caller())} label={`the ${chosen.title} program`} />
        <p class="quiet">{chosen.run}</p>
        <p class="quiet">It buys KES 50 of airtime for +254 712 345 678, using only the standard library.</p>
      </div>
    </section>
  );
}
