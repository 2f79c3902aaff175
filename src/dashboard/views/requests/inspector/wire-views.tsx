import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import type { ExchangeJson } from "../../../../control/client/shapes.ts";
import { formatDuration } from "../../../../gateway/domain/time.ts";
import { asCurl, bodyOf } from "../../../api/curl.ts";
import { CopyButton } from "../../../parts/parts.tsx";
import { caller } from "../../../store.ts";
import { acknowledgmentWords, envelopeOf, stateOf } from "../words.ts";

/** An exchange: `undefined` while it is read, `gone` if it is no longer kept. */
export type ExchangeReading = ExchangeJson | "gone" | undefined;

interface WireProps {
  readonly request: RequestRow | undefined;
  readonly exchange: ExchangeReading;
}

export function RequestView({ request, exchange }: WireProps): JSX.Element {
  if (exchange === undefined) return <Reading />;
  if (exchange === "gone") return <FromJournal request={request} />;
  const { method, target, http_version: version, headers, body } = exchange.request;
  const path = target.includes("•") && request !== undefined ? request.path : target;
  return (
    <div class="stack">
      <div class="row">
        <CopyButton
          text={asCurl({ method, path, ...(body.bytes > 0 && { body: body.text }) }, caller())}
          label="as curl"
        >
          Copy as curl
        </CopyButton>
      </div>
      <HeadTable first={`${method} ${target} HTTP/${version}`} headers={headers} />
      <Body label="request body" {...body} />
    </div>
  );
}

/** Shows what the journal knows about a request whose bytes are no longer kept. */
function FromJournal({ request }: Pick<WireProps, "request">): JSX.Element {
  if (request === undefined) return <p class="quiet">Neither its bytes nor its journal entry is kept any more.</p>;
  const body = bodyOf(request);
  return (
    <div class="stack">
      <p class="quiet">
        Its bytes and headers are no longer kept: that is so for the last 1,000 requests, until the sandbox stops. This
        is what the journal has.
      </p>
      <HeadTable first={`${request.method} ${request.path}`} headers={[]} />
      {body !== undefined && <Body label="request body" text={body} bytes={new TextEncoder().encode(body).length} />}
      <div class="row">
        <CopyButton text={asCurl(request, caller())} label="as curl">
          Copy as curl
        </CopyButton>
      </div>
    </div>
  );
}

/** Shows what the client received: an acknowledgment or a refusal. */
export function ResponseView({ request, exchange }: WireProps): JSX.Element {
  if (exchange === undefined) return <Reading />;
  if (exchange === "gone")
    return (
      <div class="stack">
        <p class="quiet">Its bytes are no longer kept. This is what the journal has.</p>
        {request !== undefined && stateOf({ request }) === "refused" ? (
          <Body label="response body" text={envelopeOf(request)} bytes={envelopeOf(request).length} />
        ) : (
          <p>{acknowledgmentWords(request?.rules)}</p>
        )}
      </div>
    );
  const { ended, response } = exchange;
  const [first = "", ...lines] = response.head.split("\r\n");
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return (
    <div class="stack">
      <p role="status">{endWords(ended)}</p>
      <HeadTable first={first} headers={headers} />
      <Body label="response body" {...response.body} />
    </div>
  );
}

function endWords(ended: ExchangeJson["ended"]): string {
  if (ended === null) return "The client is still waiting. It will get:";
  if (ended.how === "answered") return `Sent after ${formatDuration(ended.millis)}.`;
  return `The connection closed after ${formatDuration(ended.millis)}. The client received only part of this response, or nothing.`;
}

function Reading(): JSX.Element {
  return <p class="quiet">Reading the exchange…</p>;
}

interface HeadTableProps {
  readonly first: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function HeadTable({ first, headers }: HeadTableProps): JSX.Element {
  return (
    <section class="wire-head" aria-label="Headers">
      <p>
        <code dir="auto">{first}</code>
      </p>
      {headers.length > 0 && (
        <table>
          <tbody>
            {headers.map(([name, value], index) => (
              <tr key={index}>
                <th scope="row">{name}</th>
                <td dir="auto">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface BodyProps {
  readonly label: string;
  readonly text: string;
  readonly base64?: string | undefined;
  /** The full length, of which `text` may be only the beginning. */
  readonly bytes: number;
}

/** Whether bodies are pretty-printed. Shared by all of them. */
const isPretty = signal(true);

export function Body({ label, text, base64, bytes }: BodyProps): JSX.Element {
  if (bytes === 0) return <p class="quiet">No {label}.</p>;
  const pretty = prettyJson(text);
  const shown = isPretty.value ? (pretty ?? text) : (base64 ?? text);
  const isCut = base64 === undefined && new TextEncoder().encode(text).length < bytes;
  return (
    <section class="stack-s" aria-label={label}>
      <div class="spread">
        <div class="row segmented" role="group" aria-label={`Form of the ${label}`}>
          <Choice isOn={isPretty.value} onChoose={() => void (isPretty.value = true)}>
            Pretty
          </Choice>
          <Choice isOn={!isPretty.value} onChoose={() => void (isPretty.value = false)}>
            Raw
          </Choice>
        </div>
        <span class="row">
          <span class="quiet number">{bytes.toLocaleString("en")} bytes</span>
          <CopyButton text={shown} label={label} />
        </span>
      </div>
      <pre dir="auto">{shown}</pre>
      {base64 !== undefined && <p class="quiet">These bytes are not valid UTF-8; the raw view shows them in Base64.</p>}
      {isCut && <p class="quiet">The first 16 KB.</p>}
    </section>
  );
}

function Choice({
  isOn,
  onChoose,
  children,
}: {
  isOn: boolean;
  onChoose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <button type="button" class="button small" aria-pressed={isOn} onClick={onChoose}>
      {children}
    </button>
  );
}

export function prettyJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined;
  }
}

/** Shows both sides as they were on the wire, and the control API's view of the request. */
export function RawView({
  exchange,
  detail,
}: {
  readonly exchange: ExchangeReading;
  readonly detail: object | undefined;
}): JSX.Element {
  const isDetailShown = useSignal(false);
  return (
    <div class="stack">
      {exchange === undefined ? (
        <Reading />
      ) : exchange === "gone" ? (
        <p class="quiet">Its bytes are no longer kept.</p>
      ) : (
        <>
          <RawText label="Request" text={rawRequest(exchange)} />
          <RawText
            label={exchange.ended?.how === "broken" ? "Response, not fully sent" : "Response"}
            text={`${exchange.response.head}\r\n\r\n${exchange.response.body.text}`}
          />
        </>
      )}
      {detail !== undefined && (
        <details onToggle={({ currentTarget }) => void (isDetailShown.value = currentTarget.open)}>
          <summary>Transaction in the control API</summary>
          {isDetailShown.value && <RawText label="Transaction" text={JSON.stringify(detail, undefined, 2)} />}
        </details>
      )}
    </div>
  );
}

function RawText({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <section class="stack-s" aria-label={label}>
      <div class="spread">
        <h3>{label}</h3>
        <CopyButton text={text} label={label} />
      </div>
      <pre dir="auto">{text}</pre>
    </section>
  );
}

function rawRequest({ request: { method, target, http_version: version, headers, body } }: ExchangeJson): string {
  const head = [`${method} ${target} HTTP/${version}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join("\r\n")}\r\n\r\n${body.base64 ?? body.text}`;
}
