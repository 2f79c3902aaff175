import { formatInstant, type Instant } from "../domain/time.ts";
import { foreign, html, type Markup } from "./html.ts";
import type { StoryEntry } from "./report.ts";
import { sayElapsed } from "./report-words.ts";

/** A story on a page, where other parts of the page can point to what they are about. */
export interface Timeline {
  readonly markup: Markup;
  /** The id of an entry's row, where it has one. */
  readonly anchor: (entry: StoryEntry) => string | undefined;
}

/** Requests and callbacks in two lanes; `id` makes the ids of this report's rows its own. */
export function drawTimeline(story: readonly StoryEntry[], id: string): Timeline {
  const [first] = story;
  if (first === undefined) return { markup: html`<p class="faint">Nothing crossed the wire.</p>`, anchor: () => undefined };
  const { shown, left } = shorten(story);
  const anchors = new Map(shown.map((entry, index) => [entry, `${id}-${index + 1}`]));
  const rows = shown.map((entry, index) => [
    index === SHOWN / 2 && left > 0 ? gap(left) : html``,
    row(entry, { first: first.at, anchor: `${id}-${index + 1}` }),
  ]);
  return {
    markup: html`<table class="timeline">
      <caption>
        Time since ${formatInstant(first.at)}, on the account&#39;s clock.
      </caption>
      <thead>
        <tr>
          <th scope="col" class="when">Time</th>
          <th scope="col">Requests</th>
          <th scope="col">Callbacks</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
    anchor: (entry) => anchors.get(entry),
  };
}

/** Rows that a page shows: half of them from the beginning, half from the end. */
const SHOWN = 2_000;

function shorten(story: readonly StoryEntry[]): { shown: readonly StoryEntry[]; left: number } {
  if (story.length <= SHOWN) return { shown: story, left: 0 };
  return { shown: [...story.slice(0, SHOWN / 2), ...story.slice(-SHOWN / 2)], left: story.length - SHOWN };
}

function gap(left: number): Markup {
  return html`<tr class="gap">
    <td colspan="3">${left} more are between; the report as JSON has all of them.</td>
  </tr> `;
}

function row(entry: StoryEntry, { first, anchor }: { first: Instant; anchor: string }): Markup {
  const { exchange, at } = entry;
  const when = html`<td class="when mono">${sayElapsed(at - first)}</td>`;
  const told = html`<td>${tell(entry)}</td>`;
  const empty = html`<td class="empty"></td>`;
  const lanes = exchange.kind === "request" ? [told, empty] : [empty, told];
  return html`<tr id="${anchor}" class="${exchange.kind}">
    ${when}${lanes}
  </tr> `;
}

function tell({ title, outcome, isWell, scripted, exchange }: StoryEntry): Markup {
  const by = scripted === undefined ? html`` : html`<p class="small faint">scripted by ${foreign(scripted)}</p>`;
  return html`<div class="entry${isWell ? "" : " amiss"}">
    <p>${foreign(title)}</p>
    <p class="${isWell ? "is-well" : "is-amiss"}">${isWell ? "✓" : "✕"} ${foreign(outcome)}</p>
    ${by}
    <p class="id">${exchange.requestId}</p>
  </div>`;
}
