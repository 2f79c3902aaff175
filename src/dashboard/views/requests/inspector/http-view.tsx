import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { ExchangeJson } from "../../../../control/client/shapes.ts";
import { isAcknowledged } from "../../../../gateway/domain/callback-outcome.ts";
import { GATEWAY_PATHS } from "../../../../gateway/domain/order.ts";
import { answerOf, intendedAnswer } from "../../../../gateway/account/readings/answer.ts";
import { sentBody } from "../../../../gateway/account/readings/callback.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { isUnresolved, type Resolved, type Transaction } from "../../../../gateway/account/transaction.ts";
import { outcomeWords } from "../../../../gateway/domain/explain-outcome.ts";
import { formatDuration } from "../../../../gateway/domain/time.ts";
import { asCurl, bodyOfRequest, postCurl } from "../../../api/curl.ts";
import type { Row } from "../../../live/sales.ts";
import { caller, wireForm } from "../../../live/store.ts";
import { Pills } from "../../../parts/controls.tsx";
import { CopyButton } from "../../../parts/parts.tsx";
import { EditCallback } from "./edit-callback.tsx";
import type { ExchangeState } from "./use-detail.ts";

interface WireProps {
  readonly request: RequestRow | undefined;
  readonly exchange: ExchangeState;
}

/** Whether messages are shown as they were on the wire. Shared by all of them. */
const isRaw = signal(false);

/** The request, its answer and each callback. */
export function HttpView({ row, exchange }: { readonly row: Row } & Pick<WireProps, "exchange">): JSX.Element {
  const { request, transaction } = row;
  const { progress } = transaction ?? {};
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
      {transaction !== undefined &&
        progress !== undefined &&
        !isUnresolved(progress) &&
        progress.attempts.map((attempt) => (
          <CallbackView key={attempt.attempt} attempt={attempt} transaction={transaction} />
        ))}
    </>
  );
}

/** The request and its answer: their bytes, or what the journal has of them. */
export function ExchangeView({ request, exchange }: WireProps): JSX.Element {
  if (exchange === undefined) return <p class="quiet">Reading the exchange…</p>;
  if (exchange !== "gone") return <Stored request={request} exchange={exchange} />;
  if (request === undefined) return <p class="quiet">Neither its bytes nor its journal entry is kept any more.</p>;
  const answer = intendedAnswer(request.event, wireForm());
  const read = answerOf(request.event);
  return (
    <>
      <p class="quiet">From the journal, which has no headers.</p>
      <Message
        title="Request"
        head={`${request.method} ${request.path}`}
        body={textBody(bodyOfRequest(request) ?? "")}
        curl={asCurl(request, caller())}
      />
      {answer !== undefined && (
        <Message title={responseTitle(request)} head={String(answer.status)} body={textBody(answer.body)}>
          {read.says === "none" && <p>The client received only part of this, or nothing: {read.why}.</p>}
        </Message>
      )}
    </>
  );
}

interface StoredProps extends Pick<WireProps, "request"> {
  readonly exchange: ExchangeJson;
}

function Stored({ request, exchange: { request: asked, response, ended } }: StoredProps): JSX.Element {
  const { method, target, http_version: version, headers, body } = asked;
  const path = target.includes("•") && request !== undefined ? request.path : target;
  return (
    <>
      <Message
        title="Request"
        head={headOf(`${method} ${target} HTTP/${version}`, headers)}
        body={body}
        curl={asCurl({ method, path, ...(body.bytes > 0 && { body: body.text }) }, caller())}
      />
      <Message title={responseTitle(request)} head={response.head} body={response.body}>
        <p role="status">{endWords(ended)}</p>
      </Message>
    </>
  );
}

/** An acknowledgment or a refusal. */
function responseTitle(request: RequestRow | undefined): string {
  const isOrder = request?.statusCode === 200 && request.path !== GATEWAY_PATHS["account-details"];
  return isOrder ? "Acknowledgment" : "Response";
}

function endWords(ended: ExchangeJson["ended"]): string {
  if (ended === null) return "The client is still waiting. It will get:";
  if (ended.how === "answered") return `Sent after ${formatDuration(ended.millis)}.`;
  return `The connection closed after ${formatDuration(ended.millis)}. The client received only part of this response, or nothing.`;
}

interface CallbackViewProps {
  readonly attempt: Resolved["attempts"][number];
  readonly transaction: Transaction;
}

function CallbackView({ attempt, transaction }: CallbackViewProps): JSX.Element {
  const { url, headers, outcome, copy } = attempt;
  const sent = Object.entries(headers);
  const body = sentBody(attempt, transaction, wireForm());
  const answer = "body" in outcome ? outcome.body : "";
  return (
    <>
      <Message
        title={`Callback ${attempt.attempt}`}
        head={headOf(`POST ${url}`, sent)}
        body={textBody(body)}
        curl={postCurl(url, sent, body)}
      >
        <EditCallback attempt={attempt} body={body} />
      </Message>
      <section class="stack close" aria-label={`Answer to callback ${attempt.attempt}`}>
        <p>
          <strong class={isAcknowledged(outcome) ? "good" : "bad"}>{outcomeWords(attempt)}</strong>
          {"location" in outcome && (
            <>
              {" "}
              to <code>{outcome.location}</code>
            </>
          )}
        </p>
        {copy !== undefined && (
          <p>
            The copy to <code>{copy.url}</code>: {outcomeWords(copy)}
          </p>
        )}
        {answer !== "" && <pre dir="auto">{shown(answer)}</pre>}
      </section>
    </>
  );
}

interface MessageProps {
  readonly title: string;
  /** The first line and the headers. */
  readonly head: string;
  /** `bytes` is the full length, of which `text` may be only the beginning. */
  readonly body: ExchangeJson["request"]["body"];
  readonly curl?: string;
  readonly children?: ComponentChildren;
}

function Message({ title, head, body, curl, children }: MessageProps): JSX.Element {
  return (
    <section class="stack close" aria-label={title}>
      <div class="spread">
        <h3>{title}</h3>
        {curl !== undefined && (
          <CopyButton text={curl} label={title}>
            Copy as curl
          </CopyButton>
        )}
      </div>
      {children}
      <pre dir="auto">{`${head}\r\n\r\n${(isRaw.value && body.base64) || shown(body.text)}`}</pre>
      {body.base64 !== undefined && (
        <p class="quiet">These bytes are not valid UTF-8; the raw form shows them in Base64.</p>
      )}
      {body.base64 === undefined && lengthOf(body.text) < body.bytes && (
        <p class="quiet">The first 16 KB of {body.bytes.toLocaleString("en")} bytes.</p>
      )}
    </section>
  );
}

function headOf(first: string, headers: readonly (readonly [name: string, value: string])[]): string {
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
}

function textBody(text: string): MessageProps["body"] {
  return { text, bytes: lengthOf(text) };
}

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A body as it is chosen to be shown. */
function shown(text: string): string {
  try {
    return isRaw.value ? text : JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
