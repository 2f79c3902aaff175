import { html as write, raw } from "hono/html";
import { STYLE, STYLE_HASH } from "./html-style.ts";
import { LEGEND, SIGNS } from "./matrix.ts";
import { exitCodeOf, type Report, type ReportedEntry, type ReportedProblem, type TrialReport } from "./report.ts";
import { describeRest } from "./describe-rest.ts";
import { describeProblem, describeRun } from "./text.ts";
import { formatShort } from "../time-spent.ts";

/** The page's content security policy: its own stylesheet and nothing else. */
export const REPORT_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders a report as one self-contained page without scripts or network access: the problems, the matrix, what was not looked at. */
export function renderHtml(report: Report): string {
  const { problems } = report;
  const style = { 0: "is-well", 1: "is-amiss", 3: "" }[exitCodeOf(report)];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(REPORT_POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Kredo report: ${report.summary}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="brand">Kredo report</p>
          <h1 class="${style}">${report.summary}</h1>
          <p class="faint">${externalText(report.name)}</p>
          <p class="faint small">started ${report.started_at}: ${describeRun(report)}</p>
        </header>
        <main>
          ${problems.map((problem) => drawProblem(problem, report))}
          ${problems.length === 0 ? html`<p>No problem was found.</p>` : html``} ${drawMatrix(report)}
          <ul class="covered">
            ${describeRest(report).map((line) => html`<li>${externalText(line)}</li>`)}
          </ul>
          ${report.trials.map(drawTrial)}
        </main>
      </body>
    </html> `;
  return String(page);
}

type Markup = ReturnType<typeof raw>;

/** Escapes every value that is not markup itself. */
function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  const written = write(parts, ...values);
  if (written instanceof Promise) throw new Error("nothing on a page has to be awaited");
  return written;
}

function drawProblem(problem: ReportedProblem, report: Report): Markup {
  const { is, id, sentence } = problem;
  return html`<section class="finding">
    <div class="head">
      <span class="badge${is === "defect" ? " amiss" : ""}">${is}</span>
      <h2>${externalText(sentence)} <span class="id">${id}</span></h2>
    </div>
    <dl>
      ${describeProblem(problem, report).map(
        ({ label, texts }) =>
          html`<dt>${label}</dt>
            ${texts.map((text) => html`<dd>${externalText(text)}</dd> `)}`,
      )}
    </dl>
  </section> `;
}

function drawMatrix({ matrix: { points, rows }, trials }: Report): Markup {
  if (rows.length === 0) return html``;
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
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
          ({ fault, words, trials: there }) =>
            html`<tr>
              <th scope="row" title="${words}">${fault}</th>
              ${there.map((id) => html`<td>${id === null ? "" : drawCell(byId.get(id))}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`;
}

function drawCell(trial: TrialReport | undefined): Markup {
  if (trial === undefined) return html``;
  const { id, verdict } = trial;
  const style = verdict === "defect" ? "is-amiss" : verdict === "right" ? "is-well" : "faint";
  return html`<a class="${style}" href="#${anchor(id)}" title="${verdict}">${SIGNS[verdict]}</a>`;
}

function drawTrial(trial: TrialReport): Markup {
  const { id, faults, verdict, exchanges, duration_ms: millis } = trial;
  return html`<details id="${anchor(id)}">
    <summary>
      <span class="badge${verdict === "defect" ? " amiss" : verdict === "right" ? " well" : ""}">${verdict}</span>
      ${externalText(id)} <span class="faint small">${externalText(faults)}, ${formatShort(millis)}</span>
    </summary>
    ${exchanges.length === 0 ? html`<p class="faint">There were no requests or callbacks.</p>` : html``}
    <ol class="exchanges">
      ${exchanges.map(drawEntry)}
    </ol>
  </details> `;
}

function drawEntry({ at, title, outcome, tone, rules }: ReportedEntry): Markup {
  const by = rules === undefined ? html`` : html` <span class="small faint">by the rule ${externalText(rules)}</span>`;
  const isOk = tone === "good" || tone === "plain";
  return html`<li class="entry${isOk ? "" : " amiss"}">
    <span class="mono faint">${at}</span> ${externalText(title)}
    <span class="${isOk ? "is-well" : "is-amiss"}">→ ${externalText(outcome)}</span>${by}
  </li> `;
}

/** A trial's id as a fragment of a URL. */
function anchor(id: string): string {
  return `t-${id.replace(/[^\w-]/g, "_")}`;
}

/**
 * External text. It keeps its own writing direction without affecting the text around it. Invisible characters are shown as their code
 * points.
 */
export function externalText(text: string): Markup {
  const parts = text.replace(/\p{Cs}/gu, "\ufffd").split(UNSEEN);
  const shown = parts.map((part, index) => (index % 2 === 0 ? part : showCharacter(part)));
  return html`<bdi>${shown}</bdi>`;
}

/** Control characters except tabs and line breaks, direction marks, zero-width spaces, and noncharacters. */
const UNSEEN = /((?![\t\n])[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff])/u;

function showCharacter(character: string): Markup {
  return html`<span class="unseen">U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</span>`;
}
