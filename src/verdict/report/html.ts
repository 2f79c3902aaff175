import { formatInstant } from "../../gateway/domain/time.ts";
import { STYLE, STYLE_HASH } from "./html-style.ts";
import { externalText, html, Markup } from "./markup.ts";
import { LEGEND, matrixOf, SIGNS } from "./matrix.ts";
import { problemsOf } from "./problems.ts";
import type { VerdictProblem, Report, ReportedEntry, TrialReport, Verdict } from "./report.ts";
import {
  describeCoverage,
  describeExchange,
  describeNotAssessed,
  describeNotLookedAt,
  describeOpen,
  describeProblems,
  describeRuns,
  formatElapsed,
  formatShort,
  indexTimeline,
  replayCommand,
} from "./text.ts";

/** The page's content security policy: its own stylesheet and nothing else. */
export const REPORT_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders a report as one self-contained page without scripts or network access: the problems, the matrix, what was not looked at. */
export function renderHtml(report: Report, replays: ReadonlyMap<string, string> = new Map()): string {
  const problems = problemsOf(report);
  const hasDefect = problems.some(({ is }) => is === "defect");
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(REPORT_POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Kredo report: ${describeProblems(report)}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="brand">Kredo report</p>
          <h1 class="${hasDefect ? "is-amiss" : "is-well"}">${describeProblems(report)}</h1>
          <p class="counts">${externalText(report.name)}</p>
          ${runDetails(report)}
        </header>
        <main>
          ${problems.map((problem) => drawProblem(problem, report, replays))}
          ${problems.length === 0 ? html`<p>No problem was found.</p>` : html``} ${drawMatrix(report.trials)}
          ${drawCoverage(report)} ${report.trials.map(drawTrial)}
        </main>
      </body>
    </html> `.text;
}

function runDetails(report: Report): Markup {
  const { startedAt, durationMillis, seed, progress } = report;
  const coverage =
    progress.total > 0 ? `${describeCoverage(report)} in ${describeRuns(report)}` : describeCoverage(report);
  const details = [
    ["started", formatInstant(startedAt)],
    ["took", formatShort(durationMillis)],
    ["seed", String(seed)],
    ["covers", coverage],
  ] as const;
  return html`<dl class="run-details">
    ${details.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;
}

function drawProblem(
  { is, id, sentence, first, trials }: VerdictProblem,
  { seed }: Report,
  replays: ReadonlyMap<string, string>,
): Markup {
  const [trial, ...others] = trials;
  if (trial === undefined) return html``;
  const replay = is === "defect" ? replayCommand(trial, { seed, replays }) : undefined;
  return html`<section class="finding">
    <div class="head">
      <span class="badge${is === "defect" ? " amiss" : ""}">${is}</span>
      <h2>${externalText(sentence)} <span class="id">${id}</span></h2>
    </div>
    <dl>
      ${row("seen", first.seen)} ${row("why", first.why)}
      <dt>exchanges</dt>
      <dd>${drawExchanges(first, trial)}</dd>
      ${first.follows.map((follows) => row("so also", `${follows.seen} (${follows.id})`))}
      ${others.map((other) => row("also when", `${other.faults} (${other.id})`))} ${row("repair", first.repair)}
      ${row("assumes", first.assumes)} ${row("replay", replay)}
    </dl>
  </section> `;
}

function row(name: string, value: string | undefined): Markup {
  return value === undefined
    ? html``
    : html`<dt>${name}</dt>
        <dd>${externalText(value)}</dd> `;
}

function drawExchanges({ exchanges }: Verdict, { timeline }: TrialReport): Markup {
  const entries = indexTimeline(timeline);
  return html`<ul class="proof">
    ${exchanges.map((exchange) => html`<li>${externalText(describeExchange(exchange, entries))}</li>`)}
  </ul>`;
}

function drawMatrix(trials: readonly TrialReport[]): Markup {
  const { points, rows } = matrixOf(trials);
  if (rows.length === 0) return html``;
  return html`<h3>Matrix</h3>
    <table class="matrix">
      <caption>
        ${LEGEND}
      </caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          ${points.map((point) => html`<th scope="col">${point}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ fault, trials: there }) =>
            html`<tr>
              <th scope="row">${fault}</th>
              ${there.map((trial) => html`<td>${trial === undefined ? "" : cell(trial)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`;
}

function cell({ verdict, id }: TrialReport): Markup {
  const style = verdict === "defect" ? "is-amiss" : verdict === "right" ? "is-well" : "faint";
  return html`<a class="${style}" href="#${anchor(id)}" title="${verdict}">${SIGNS[verdict]}</a>`;
}

function drawCoverage(report: Report): Markup {
  const stopped = report.progress.stopped && `Not everything was tried: ${report.progress.stopped}.`;
  const lines = [describeOpen(report), ...describeNotAssessed(report), stopped, describeNotLookedAt(report)];
  return html`<ul class="covered">
    ${lines.map((line) => (line === undefined ? html`` : html`<li>${externalText(line)}</li>`))}
  </ul>`;
}

/** The most exchanges of one trial on a page. The JSON report contains all of them. */
const SHOWN = 1_000;

function drawTrial(trial: TrialReport): Markup {
  const { id, faults, verdict, timeline, durationMillis, evicted } = trial;
  const [first] = timeline;
  const left = timeline.length - SHOWN;
  return html`<details id="${anchor(id)}">
    <summary>
      <span class="badge${verdict === "defect" ? " amiss" : verdict === "right" ? " well" : ""}">${verdict}</span>
      ${externalText(id)} <span class="faint small">${externalText(faults)}, ${formatShort(durationMillis)}</span>
    </summary>
    ${evicted === undefined ? html`` : html`<p>The first ${evicted} requests were evicted from the journal.</p>`}
    ${first === undefined ? html`<p class="faint">There were no requests or callbacks.</p>` : html``}
    <ol class="exchanges">
      ${timeline.slice(0, SHOWN).map((entry) => drawEntry(entry, entry.at - (first?.at ?? entry.at)))}
    </ol>
    ${left > 0 ? html`<p class="faint">${left} more are in the JSON report.</p>` : html``}
  </details> `;
}

function drawEntry({ title, outcome, isOk, scripted }: ReportedEntry, elapsed: number): Markup {
  const by =
    scripted === undefined ? html`` : html` <span class="small faint">scripted by ${externalText(scripted)}</span>`;
  return html`<li class="entry${isOk ? "" : " amiss"}">
    <span class="mono faint">${formatElapsed(elapsed)}</span> ${externalText(title)}
    <span class="${isOk ? "is-well" : "is-amiss"}">→ ${externalText(outcome)}</span>${by}
  </li> `;
}

/** A trial's id as a fragment of a URL. */
function anchor(id: string): string {
  return `t-${id.replace(/[^\w-]/g, "_")}`;
}
