import { traceparentOf } from "../account/readings/traceparent.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import { formatInstant, type Instant, SECOND } from "../domain/time.ts";
import { traceIds } from "../domain/traceparent.ts";
import type { Witness } from "../engine/world.ts";
import type { FindingWitness } from "../findings/live-findings.ts";
import { changeEntry } from "./log-change.ts";
import { type LogEntry, logEntry } from "./log-entry.ts";
import { findingEntry } from "./log-finding.ts";
import type { Terminal } from "./terminal.ts";

/** The running sandbox's log on standard output. */
export interface EventLog {
  /** Takes each event of every account. */
  readonly witness: Witness;
  /** Takes each finding of every account when it is first seen. */
  readonly findingWitness: FindingWitness;
  /** Says something that is no account's event. */
  write(entry: LogEntry): void;
  /** Prints what has not been printed yet. */
  flush(): void;
}

/** Lines are gathered and printed together at the end of a turn of the event loop: under load one write carries many. */
export function eventLog({ logFormat, maskPhoneNumbers }: SandboxSettings, { stdout, clock }: Terminal): EventLog {
  let lines = "";
  const format = logFormat === "json" ? formatJson : formatPretty(timeOfDay());
  const flush = (): void => {
    if (lines !== "") stdout.write(lines);
    lines = "";
  };
  const add = (entry: LogEntry, account?: string): void => {
    if (lines === "") setImmediate(flush);
    lines += `${format(entry, clock.now(), account)}\n`;
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
    findingWitness: (account, finding) => add(findingEntry(finding, maskPhoneNumbers), account.consumerKey),
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
