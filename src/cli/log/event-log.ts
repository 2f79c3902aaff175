import { traceparentOf } from "../../account/readings/traceparent.ts";
import { changeEntry, type LogEntry, logEntry } from "./log-entry.ts";
import { escapeBidi, quoted } from "../output/text.ts";
import type { Terminal } from "../terminal.ts";
import type { SandboxSettings } from "../../config/config-schema.ts";
import { formatInstant, type Instant, SECOND } from "../../domain/time.ts";
import { traceIds } from "../../domain/traceparent.ts";
import type { FindingListener } from "../../engine/live-findings.ts";
import type { Witness } from "../../engine/world.ts";
import type { Finding } from "../../findings/finding.ts";

/** The running sandbox's log on standard output. */
export interface EventLog {
  /** Takes each event of every account. */
  readonly witness: Witness;
  /** Takes each finding of every account when it is first seen. */
  readonly onFinding: FindingListener;
  /** Says something that is no account's event. */
  write(entry: LogEntry): void;
  /** Prints what has not been printed yet. */
  flush(): void;
}

/** Lines are gathered and printed together at the end of a turn of the event loop: under load one write carries many. */
export function eventLog({ log }: SandboxSettings, { stdout, clock }: Terminal): EventLog {
  let lines = "";
  const { mask_phone_numbers: maskPhoneNumbers } = log;
  const format = log.format === "json" ? formatJson : formatPretty(timeOfDay());
  const flush = (): void => {
    if (lines !== "") stdout.write(lines);
    lines = "";
  };
  const add = (entry: LogEntry, account?: string): void => {
    if (lines === "") setImmediate(flush);
    lines += `${escapeBidi(format(entry, clock.now(), account))}\n`;
  };
  return {
    witness: (account, event) => {
      const context = { state: account.state, maskPhoneNumbers };
      const entry = logEntry(event, context) ?? changeEntry(event, context);
      if (entry !== undefined)
        add(
          withTrace(entry, () => traceparentOf(event, account.state)),
          account.consumerKey,
        );
    },
    onFinding: (account, finding) => add(findingEntry(finding, maskPhoneNumbers), account.consumerKey),
    write: (entry) => add(entry),
    flush,
  };
}

/** Under the names that OpenTelemetry gives them outside its own protocol (opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context). */
function withTrace(entry: LogEntry, find: () => string | undefined): LogEntry {
  const { level, event, text } = entry;
  return { level, event, text, fields: () => ({ ...entry.fields(), ...traceFields(find()) }) };
}

function traceFields(traceparent: string | undefined): Record<string, string> {
  if (traceparent === undefined) return {};
  const { traceId, spanId } = traceIds(traceparent);
  return { trace_id: traceId, span_id: spanId };
}

function formatJson({ level, event, text, fields }: LogEntry, at: Instant, account?: string): string {
  return JSON.stringify({ time: formatInstant(at), level, event, account, ...fields(), ...(event === "notice" ? { text } : {}) });
}

function formatPretty(timeAt: (at: Instant) => string): (entry: LogEntry, at: Instant) => string {
  return ({ text, event }, at) => (event === "notice" || event === "ready" ? text : `${timeAt(at)}  ${text}`);
}

/** As this machine's owner reads it. Asking for the time zone costs as much as all the rest of a line, so each second asks once. */
function timeOfDay(): (at: Instant) => string {
  let second = Number.NaN;
  let text = "";
  return (at) => {
    const now = Math.floor(at / SECOND);
    if (now !== second) text = new Date(at).toTimeString().slice(0, "00:00:00".length);
    second = now;
    return text;
  };
}

/** The entry of a finding when it is first seen; its count grows in silence. */
export function findingEntry(finding: Finding, maskPhoneNumbers: boolean): LogEntry {
  const { id, severity, title, why, repair } = finding;
  const seen = quoted(finding.seen, maskPhoneNumbers);
  return {
    level: severity === "defect" || severity === "risk" ? "warn" : "info",
    event: "finding",
    text: `finding   ${severity}  ${title} (${id}). ${seen} ${repair}`,
    fields: () => ({ id, severity, subject: quoted(finding.subject, maskPhoneNumbers), title, seen, why, repair }),
  };
}

/** Why a client's TLS handshake failed, by OpenSSL's code. */
export function explainTlsFailure(code: string): LogEntry {
  const why = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? "its TLS handshake failed";
  return { level: "warn", event: "tls", text: `https     a client left: ${why} (${code})`, fields: () => ({ code, explanation: why }) };
}

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)/, "it does not trust the certificate; give it the CA's, as at /ca.pem"],
  [/HTTP_REQUEST|WRONG_VERSION_NUMBER/, "it does not speak TLS; call this port by https://"],
  [/UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER/, "it speaks no TLS that is safe; 1.2 is the oldest here"],
];
