import { html, type Markup } from "../../verdict/rehearsal/html.ts";
import type { ApiDescription } from "../control/openapi.ts";
import { type Answer, type Call, type CallGroup, type Content, listCalls } from "./list-calls.ts";
import type { Field } from "./list-fields.ts";

/** The URL of the page's stylesheet; the policy allows no inline styles. */
const STYLE_PATH = "/docs/style.css";

/** Renders the reference of the gateway and the control API as one page without scripts. It only needs its stylesheet. */
export function renderReference(description: ApiDescription): string {
  const groups = listCalls(description);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Kredo: reference</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <header>
          <p class="quiet"><a href="/">Kredo ${description.info.version}</a></p>
          <h1>Gateway and control API</h1>
          <p>
            The gateway takes Basic authentication with an account's key and secret. The control API asks for
            <code>Authorization: Bearer</code> where an admin token is set, and for nothing else. What it refuses it
            answers with <code>{"status", "problem", "repair"}</code> in JSON. The same as a machine reads it:
            <a href="/__admin/openapi.json">/__admin/openapi.json</a>.
          </p>
        </header>
        <div class="columns">
          <nav aria-label="Subjects">
            <ul>
              ${groups.map(({ title }) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`)}
            </ul>
          </nav>
          <main>${groups.map(section)}</main>
        </div>
      </body>
    </html> `.text;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}

function section({ title, calls }: CallGroup): Markup {
  return html`<section aria-labelledby="${anchorOf(title)}">
    <h2 id="${anchorOf(title)}">${title}</h2>
    ${calls.map(drawCall)}
  </section>`;
}

function drawCall({ method, path, summary, parameters, body, answers }: Call): Markup {
  const asked =
    parameters.length === 0
      ? html``
      : html`<h4>Parameters</h4>
          ${table(parameters)}`;
  const sent =
    body.mediaTypes.length === 0
      ? html``
      : html`<h4>Body</h4>
          ${drawContent(body)}`;
  return html`<article>
    <h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3>
    <p>${summary}</p>
    <details>
      <summary>What it takes and answers<span class="for-readers"> (${method} ${path})</span></summary>
      ${asked}${sent}
      <h4>Answers</h4>
      ${answers.map(drawAnswer)}
    </details>
  </article>`;
}

function drawAnswer(answer: Answer): Markup {
  const status = answer.status === "default" ? "other" : answer.status;
  return html`<p><strong>${status}</strong> ${answer.description}</p>
    ${drawContent(answer)}`;
}

function drawContent({ mediaTypes, type, fields }: Content): Markup {
  const named =
    mediaTypes.length === 0
      ? html``
      : html`<p class="quiet">${mediaTypes.join(", ")}${type === "" ? "" : `: ${type}`}</p>`;
  return fields.length === 0 ? named : html`${named}${table(fields)}`;
}

function table(fields: readonly Field[]): Markup {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">key</th>
          <th scope="col">is</th>
          <th scope="col">means</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(row)}
      </tbody>
    </table>
  </div>`;
}

function row({ path, type, isRequired, about, sameAs }: Field): Markup {
  const needed = isRequired ? html` <em>required</em>` : html``;
  const same = sameAs === undefined ? "" : ` Keys as in ${sameAs}.`;
  return html`<tr>
    <th scope="row"><code>${path}</code>${needed}</th>
    <td>${type}</td>
    <td>${`${about}${same}`.trim()}</td>
  </tr>`;
}
