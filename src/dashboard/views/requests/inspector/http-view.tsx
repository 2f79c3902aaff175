import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { Attempt, ExchangeJson } from "../../../../control/client/shapes.ts";
import { GATEWAY_PATHS } from "../../../../gateway/domain/order.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { formatDuration } from "../../../../gateway/domain/time.ts";
import { asCurl, bodyOfRequest, postCurl } from "../../../api/curl.ts";
import { Pills } from "../../../parts/controls.tsx";
import { Badge, CopyButton } from "../../../parts/parts.tsx";
import { caller } from "../../../live/store.ts";
import { outcomeWords } from "../../../../gateway/domain/explain-outcome.ts";
import { envelopeOf } from "../list/words.ts";
import { EditCallback } from "./edit-callback.tsx";
import type { ExchangeState } from "./use-detail.ts";

interface WireProps {
  readonly request: RequestRow | undefined;
  readonly exchange: ExchangeState;
}

/** Whether messages are shown as they were on the wire. Shared by all of them. */
const isRaw = signal(false);

/** The request, its answer and each callback. */
export function HttpView({
  request,
  exchange,
  attempts,
}: WireProps & { readonly attempts: readonly Attempt[] }): JSX.Element {
  return (
    <>
      <Pills
        label="Form"
        options={[
          { value: "", title: "Pretty" },
          { value: "raw", title: "Raw" },
        ]}
        chosen={isRaw.value ? "raw" : ""}
        onChoose={(form) => void (isRaw.value = form === "raw")}
      />
      <ExchangeView request={request} exchange={exchange} />
      {attempts.map((attempt) => (
        <CallbackView key={attempt.attempt} attempt={attempt} />
      ))}
    </>
  );
}

/** The request and its answer. */
export function ExchangeView(wire: WireProps): JSX.Element {
  return (
    <>
      <RequestView {...wire} />
      <ResponseView {...wire} />
    </>
  );
}

/** The request as it came, or what the journal has of it if its bytes are no longer kept. */
function RequestView({ request, exchange }: WireProps): JSX.Element | null {
  if (exchange === undefined) return <p class="quiet">Reading the exchange…</p>;
  if (exchange !== "gone") {
    const { method, target, http_version: version, headers, body } = exchange.request;
    const path = target.includes("•") && request !== undefined ? request.path : target;
    const curl = asCurl({ method, path, ...(body.bytes > 0 && { body: body.text }) }, caller());
    return (
      <Message
        title="Request"
        first={`${method} ${target} HTTP/${version}`}
        headers={headers}
        body={body}
        curl={curl}
      />
    );
  }
  if (request === undefined) return <p class="quiet">Neither its bytes nor its journal entry is kept any more.</p>;
  return (
    <Message
      title="Request"
      first={`${request.method} ${request.path}`}
      headers={[]}
      body={textBody(bodyOfRequest(request) ?? "")}
      curl={asCurl(request, caller())}
    >
      <p class="quiet">
        Its headers are no longer kept: the sandbox keeps those of the last 1,000 requests, until it stops. This is what
        the journal has.
      </p>
    </Message>
  );
}

/** What the client received: an acknowledgment or a refusal. */
function ResponseView({ request, exchange }: WireProps): JSX.Element | null {
  if (exchange === undefined) return null;
  const title =
    request?.statusCode === 200 && request.path !== GATEWAY_PATHS["account-details"] ? "Acknowledgment" : "Response";
  if (exchange !== "gone") {
    const [first = "", ...lines] = exchange.response.head.split("\r\n");
    const headers = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]);
    return (
      <Message title={title} first={first} headers={headers} body={exchange.response.body}>
        <p role="status">{endWords(exchange.ended)}</p>
      </Message>
    );
  }
  if (request === undefined || request.statusCode === 200 || request.statusCode === 0) return null;
  return <Message title={title} first={String(request.statusCode)} headers={[]} body={textBody(envelopeOf(request))} />;
}

function endWords(ended: ExchangeJson["ended"]): string {
  if (ended === null) return "The client is still waiting. It will get:";
  if (ended.how === "answered") return `Sent after ${formatDuration(ended.millis)}.`;
  return `The connection closed after ${formatDuration(ended.millis)}. The client received only part of this response, or nothing.`;
}

function CallbackView({ attempt }: { readonly attempt: Attempt }): JSX.Element {
  const { url, headers, body, outcome, acknowledged, copy } = attempt;
  const { status, location, body: answer = "" } = outcome;
  const sent = Object.entries(headers);
  return (
    <>
      <Message
        title={`Callback ${attempt.attempt}`}
        first={`POST ${url}`}
        headers={sent}
        body={textBody(body ?? "")}
        curl={body === null ? undefined : postCurl(url, sent, body)}
      >
        {body === null ? (
          <p class="quiet">Its body is no longer kept.</p>
        ) : (
          <EditCallback attempt={attempt} body={body} />
        )}
      </Message>
      <section class="stack close" aria-label={`Answer to callback ${attempt.attempt}`}>
        <p>
          <Badge tone={acknowledged ? "good" : "bad"}>{outcomeWords(attempt)}</Badge>
          {location !== undefined && (
            <>
              {" "}
              to <code>{location}</code>
            </>
          )}
        </p>
        {copy !== undefined && (
          <p>
            The copy to <code>{copy.url}</code>: {outcomeWords(copy)}
          </p>
        )}
        {status !== undefined && answer !== "" && <Body text={answer} bytes={lengthOf(answer)} />}
      </section>
    </>
  );
}

interface MessageProps {
  readonly title: string;
  /** The request line or the status line. */
  readonly first: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: BodyText;
  readonly curl?: string | undefined;
  readonly children?: ComponentChildren;
}

function Message({ title, first, headers, body, curl, children }: MessageProps): JSX.Element {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  return (
    <section class="stack close" aria-label={title}>
      <div class="spread">
        <h3>{title}</h3>
        <span class="row">
          {curl !== undefined && (
            <CopyButton text={curl} label={title}>
              Copy as curl
            </CopyButton>
          )}
          <CopyButton text={body.text} label={title}>
            Copy body
          </CopyButton>
        </span>
      </div>
      {children}
      {isRaw.value ? (
        <pre dir="auto">{`${head}\r\n\r\n${body.base64 ?? body.text}`}</pre>
      ) : (
        <>
          <Head first={first} headers={headers} />
          <Body {...body} />
        </>
      )}
      {body.base64 !== undefined && (
        <p class="quiet">These bytes are not valid UTF-8; the raw form shows them in Base64.</p>
      )}
      {body.base64 === undefined && lengthOf(body.text) < body.bytes && (
        <p class="quiet">The first 16 KB of {body.bytes.toLocaleString("en")} bytes.</p>
      )}
    </section>
  );
}

function Head({ first, headers }: Pick<MessageProps, "first" | "headers">): JSX.Element {
  return (
    <div class="wire-head">
      <p dir="auto">{first}</p>
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
    </div>
  );
}

interface BodyText {
  readonly text: string;
  readonly base64?: string | undefined;
  /** The full length, of which `text` may be only the beginning. */
  readonly bytes: number;
}

function Body({ text, bytes }: BodyText): JSX.Element {
  if (bytes === 0) return <p class="quiet">No body.</p>;
  return <pre dir="auto">{isRaw.value ? text : prettyJson(text)}</pre>;
}

function textBody(text: string): BodyText {
  return { text, bytes: lengthOf(text) };
}

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
