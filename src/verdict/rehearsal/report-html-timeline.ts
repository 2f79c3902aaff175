import { formatInstant, type Instant } from "../../gateway/domain/time.ts";
import { externalText, html, type Markup } from "./html.ts";
import type { TimelineEntry } from "./report.ts";
import { formatElapsed } from "./report-text.ts";

/** A timeline on a page, with anchors that other parts of the page can link to. */
export interface Timeline {
  readonly markup: Markup;
  /** Returns the id of an entry's row, if it has one. */
  readonly anchor: (entry: TimelineEntry) => string | undefined;
}

/** Draws requests and callbacks in two lanes. `id` is the prefix of the row ids. */
export function drawTimeline(timeline: readonly TimelineEntry[], id: string): Timeline {
  const [first] = timeline;
  if (first === undefined)
    return { markup: html`<p class="faint">There were no requests or callbacks.</p>`, anchor: () => undefined };
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

/** The most rows on a page: half of them from the beginning, half from the end. */
const SHOWN = 2_000;

function shorten(timeline: readonly TimelineEntry[]): { shown: readonly TimelineEntry[]; left: number } {
  if (timeline.length <= SHOWN) return { shown: timeline, left: 0 };
  return { shown: [...timeline.slice(0, SHOWN / 2), ...timeline.slice(-SHOWN / 2)], left: timeline.length - SHOWN };
}

function gap(left: number): Markup {
  return html`<tr class="gap">
    <td colspan="3">${left} more in between are not shown; the JSON report contains them all.</td>
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
