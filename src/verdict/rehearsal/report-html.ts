import type { Exchange, Finding } from "../checks/finding.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import { externalText, html, Markup } from "./html.ts";
import type { Check, Report, TimelineEntry, Verdict } from "./report.ts";
import { STYLE, STYLE_HASH } from "./report-html-style.ts";
import { drawTimeline } from "./report-html-timeline.ts";
import { drawWallet } from "./report-html-wallet.ts";
import {
  bySeverity,
  exchangeKey,
  indexTimeline,
  describeTally,
  describeTimes,
  formatDurationShort,
  type Tally,
  tally,
  describeExchange,
} from "./report-text.ts";

/** The page's content security policy: its own stylesheet and nothing else. */
export const REPORT_POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders reports as one self-contained page without scripts or network access. */
export function renderHtml(reports: readonly Report[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(REPORT_POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Kredo report: ${headline(reports)}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="brand">Kredo report</p>
          <h1 class="${isOk(reports) ? "is-well" : "is-amiss"}">${headline(reports)}</h1>
          <p class="counts">${describeTally(tally(reports))}.</p>
          ${reports.length > 1 ? contents(reports) : html``}
        </header>
        <main>${reports.map(section)}</main>
      </body>
    </html> `.text;
}

/** A defect makes a report bad, even if no check asks for it. */
function isOk(reports: readonly Report[]): boolean {
  const { checks, findings } = tally(reports);
  return checks.failed === 0 && findings.defect === 0;
}

function headline(reports: readonly Report[]): string {
  const { checks, findings } = tally(reports);
  const { defect } = findings;
  const found =
    checks.failed > 0 || defect === 0 ? "" : `, but ${defect} ${defect === 1 ? "defect was" : "defects were"} found`;
  return `${describeChecks(checks)}${found}`;
}

/** Checks that were not assessed are never counted as passed. */
function describeChecks({ passed, failed, "not assessed": open }: Tally["checks"]): string {
  const total = passed + failed + open;
  if (total === 0) return "There was nothing to check";
  if (failed > 0) return `${failed} of ${total} ${total === 1 ? "check" : "checks"} failed`;
  if (open > 0) return `${passed} of ${total} checks passed, ${open} not assessed`;
  return total === 1 ? "The check passed" : `All ${total} checks passed`;
}

function contents(reports: readonly Report[]): Markup {
  const rows = reports.map(
    (report, index) => html`<li>${reportBadge(report)}<a href="#r${index + 1}">${externalText(report.name)}</a></li>`,
  );
  return html`<nav aria-label="Reports">
    <ol class="contents">
      ${rows}
    </ol>
  </nav>`;
}

function reportBadge(report: Report): Markup {
  const { passed, failed, "not assessed": open } = tally([report]).checks;
  if (failed > 0) return html`<span class="badge amiss">✕ ${failed} failed</span>`;
  if (open > 0) return html`<span class="badge">${open} not assessed</span>`;
  return passed > 0 ? html`<span class="badge well">✓ passed</span>` : html`<span class="badge">no checks</span>`;
}

function section(report: Report, index: number): Markup {
  const id = `r${index + 1}`;
  const { markup, anchor } = drawTimeline(report.timeline, id);
  const timeline = indexTimeline(report.timeline);
  const proof: Proof = (exchanges) => listProof(exchanges, timeline, anchor);
  return html`<section class="report" id="${id}" aria-labelledby="${id}-name">
    <h2 id="${id}-name">${externalText(report.name)}</h2>
    ${report.description === undefined ? html`` : html`<p class="about">${externalText(report.description)}</p>`}
    ${runDetails(report)}
    <h3>Checks</h3>
    ${
      report.checks.length === 0
        ? html`<p class="faint">None.</p>`
        : html`<ul class="checks">
            ${report.checks.map((check) => checkRow(check, proof))}
          </ul>`
    }
    <h3>Findings</h3>
    ${report.findings.length === 0 ? html`<p class="faint">None.</p>` : bySeverity(report.findings).map((finding) => findingCard(finding, proof))}
    <h3>Wallet</h3>
    ${drawWallet(report.wallet)}
    <h3>Requests and callbacks</h3>
    ${markup}
  </section> `;
}

function runDetails({ file, startedAt, duration, clock, seed, evicted }: Report): Markup {
  const all: readonly (readonly [string, string | undefined])[] = [
    ["file", file],
    ["began", formatInstant(startedAt)],
    ["took", formatDurationShort(duration)],
    ["clock", clock],
    ["seed", String(seed)],
    ["gone", evicted === undefined ? undefined : `${evicted} requests at the beginning were evicted from the journal`],
  ];
  const rows = all.map(([name, value]) =>
    value === undefined
      ? html``
      : html`<div>
          <dt>${name}</dt>
          <dd>${externalText(value)}</dd>
        </div>`,
  );
  return html`<dl class="run-details">${rows}</dl>`;
}

type Proof = (exchanges: readonly Exchange[]) => Markup;

const VERDICT_BADGES: Readonly<Record<Verdict["is"], Markup>> = {
  passed: html`<span class="badge well">✓ passed</span>`,
  failed: html`<span class="badge amiss">✕ failed</span>`,
  "not assessed": html`<span class="badge">not assessed</span>`,
};

function checkRow({ name, verdict }: Check, proof: Proof): Markup {
  const told = verdict.is === "not assessed" ? `needs ${verdict.needs}` : verdict.seen;
  const shown = verdict.is === "failed" ? proof(verdict.exchanges) : html``;
  return html`<li>
    ${VERDICT_BADGES[verdict.is]}
    <div class="what">
      <p><strong>${externalText(name)}</strong></p>
      <p class="faint">${externalText(told)}</p>
      ${shown}
    </div>
  </li> `;
}

function findingCard(
  { id, subject, severity, title, seen, why, repair, assumes, count, exchanges }: Finding,
  proof: Proof,
): Markup {
  const about = subject === "" ? html`` : html` · ${externalText(subject)}`;
  return html`<article class="finding">
    <div class="head">
      <span class="badge${severity === "defect" ? " amiss" : ""}">${severity}</span>
      <div>
        <h4>${externalText(title)}</h4>
        <p class="small faint">${id}${about} · seen ${describeTimes(count)}</p>
      </div>
    </div>
    <dl>
      <dt>Seen</dt>
      <dd>${externalText(seen)}${proof(exchanges)}</dd>
      <dt>Why</dt>
      <dd>${externalText(why)}</dd>
      <dt>Repair</dt>
      <dd>${externalText(repair)}</dd>
      <dt>Assumes</dt>
      <dd class="faint">${externalText(assumes)}</dd>
    </dl>
  </article> `;
}

function listProof(
  exchanges: readonly Exchange[],
  timeline: ReadonlyMap<string, TimelineEntry>,
  anchor: (entry: TimelineEntry) => string | undefined,
): Markup {
  if (exchanges.length === 0) return html``;
  const rows = exchanges.map((exchange) => {
    const entry = timeline.get(exchangeKey(exchange));
    const place = entry === undefined ? undefined : anchor(entry);
    const told = externalText(describeExchange(exchange, timeline));
    return html`<li>${place === undefined ? told : html`<a href="#${place}">${told}</a>`}</li>`;
  });
  return html`<ul class="proof">
    ${rows}
  </ul>`;
}
