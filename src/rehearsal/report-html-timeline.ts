import { formatInstant, type Instant } from "../domain/time.ts";
import { externalText, html, type Markup } from "./html.ts";
import type { TimelineEntry } from "./report.ts";
import { formatElapsed } from "./report-text.ts";

/** A timeline on a page, where other parts of the page can point to what they are about. */
export interface Timeline {
  readonly markup: Markup;
  /** The id of an entry's row, where it has one. */
  readonly anchor: (entry: TimelineEntry) => string | undefined;
}

/** Requests and callbacks in two lanes; `id` makes the ids of this report's rows its own. */
export function drawTimeline(timeline: readonly TimelineEntry[], id: string): Timeline {
  const [first] = timeline;
  if (first === undefined) return { markup: html`<p class="faint">Nothing crossed the wire.</p>`, anchor: () => undefined };
  const { shown, left } = shorten(timeline);
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

function shorten(timeline: readonly TimelineEntry[]): { shown: readonly TimelineEntry[]; left: number } {
  if (timeline.length <= SHOWN) return { shown: timeline, left: 0 };
  return { shown: [...timeline.slice(0, SHOWN / 2), ...timeline.slice(-SHOWN / 2)], left: timeline.length - SHOWN };
}

function gap(left: number): Markup {
  return html`<tr class="gap">
    <td colspan="3">${left} more are between; the report as JSON has all of them.</td>
  </tr> `;
}

function row(entry: TimelineEntry, { first, anchor }: { first: Instant; anchor: string }): Markup {
  const { exchange, at } = entry;
  const when = html`<td class="when mono">${formatElapsed(at - first)}</td>`;
  const told = html`<td>${tell(entry)}</td>`;
  const empty = html`<td class="empty"></td>`;
  const lanes = exchange.kind === "request" ? [told, empty] : [empty, told];
  return html`<tr id="${anchor}" class="${exchange.kind}">
    ${when}${lanes}
  </tr> `;
}

function tell({ title, outcome, isOk, scripted, exchange }: TimelineEntry): Markup {
  const by = scripted === undefined ? html`` : html`<p class="small faint">scripted by ${externalText(scripted)}</p>`;
  return html`<div class="entry${isOk ? "" : " amiss"}">
    <p>${externalText(title)}</p>
    <p class="${isOk ? "is-well" : "is-amiss"}">${isOk ? "✓" : "✕"} ${externalText(outcome)}</p>
    ${by}
    <p class="id">${exchange.requestId}</p>
  </div>`;
}
