import type { JSX } from "preact";
import { judgement } from "./draft.ts";

/** The mistakes in what was sent, each a way to its line. The region stands from the start, so that screen readers hear it. */
export function Judgement({ onGoTo }: { readonly onGoTo: (index: number) => void }): JSX.Element {
  const mistakes = judgement.value;
  const isRefused = mistakes.some(({ severity }) => severity === "error");
  return (
    <div role="status" aria-live="polite">
      {mistakes.length > 0 && (
        <section class={`scenario-judgement ${isRefused ? "bad" : "warm"}`} aria-label={isRefused ? "Mistakes" : "Doubts"}>
          <h2>
            {isRefused
              ? `${countOf(mistakes.length, "mistake")}; nothing was changed`
              : `It began, with ${countOf(mistakes.length, "doubt")}`}
          </h2>
          <ol>
            {mistakes.map(({ line, column, text }, index) => (
              <li key={index}>
                <button type="button" onClick={() => onGoTo(index)}>
                  <span class="number">
                    {line}:{column}
                  </span>
                  <bdi>{text}</bdi>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
