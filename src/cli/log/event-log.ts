import { type LogContext, type LogEntry, logEntry } from "./log-entry.ts";
import { escapeBidi, paint, printable, printableLines, quoted } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { LOG_LEVELS, type SandboxSettings } from "../../config.ts";
import { formatInstant, type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { traceIds } from "../../gateway/domain/traceparent.ts";
import type { FindingListener } from "../../verdict/checks/live-findings.ts";
import type { WorldObserver } from "../../gateway/engine/world.ts";
import type { Finding } from "../../verdict/checks/finding.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import { parseHostList, reasonNeverSent } from "../../gateway/adapters/delivery/egress.ts";
import type { CallbackUrl } from "../../gateway/settings/callbacks.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { AccountState } from "../../gateway/account/state.ts";

/** The running sandbox's log on standard output. */
export interface EventLog {
  /** Logs every event of every account. */
  readonly onEvent: WorldObserver;
  /** Logs each finding of every account when it is first seen. */
  readonly onFinding: FindingListener;
  /** Logs something that is not an account's event. */
  write(entry: LogEntry): void;
  /** Logs a message as it is. */
  notice(level: LogEntry["level"], text: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Prints everything not printed yet. */
  flush(): void;
}

/** Buffers lines and prints them together at the end of a turn of the event loop, so that under load one write carries many. */
export function eventLog({ log, callback_allow: allowed }: SandboxSettings, terminal: Terminal): EventLog {
  const { stdout, clock } = terminal;
  let lines = "";
  const { mask_phone_numbers: maskPhoneNumbers } = log;
  const reasonNotSent = (target: CallbackUrl): string | undefined => reasonNeverSent(target, parseHostList(allowed));
  const format = entryFormat(log.format, terminal);
  const flush = (): void => {
    if (lines !== "") stdout.write(lines);
    lines = "";
  };
  const lowest = LOG_LEVELS.indexOf(log.level);
  const add = (entry: LogEntry, account?: string): void => {
    if (LOG_LEVELS.indexOf(entry.level) < lowest) return;
    if (lines === "") setImmediate(flush);
    lines += `${format(entry, clock.now(), account)}\n`;
  };
  return {
    onEvent: (account, event) => {
      const entry = entryOf(event, { state: account.state, maskPhoneNumbers, reasonNotSent });
      if (entry !== undefined) add(entry, account.consumerKey);
    },
    onFinding: (account, finding) => add(findingEntry(finding, maskPhoneNumbers), account.consumerKey),
    write: (entry) => add(entry),
    notice: (level, text, fields = {}) => add({ level, event: "notice", text: () => text, fields: () => fields }),
    flush,
  };
}

/** Returns the log entry of an event, given the state after it; undefined for most events, which are of no interest to people. */
export function entryOf(event: AccountEvent, context: LogContext): LogEntry | undefined {
  const entry = logEntry(event, context);
  const traceparent = traceparentOf(event, context.state);
  if (entry === undefined || traceparent === undefined) return entry;
  // OpenTelemetry's field names for logs outside its own protocol (opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context).
  const { traceId, spanId } = traceIds(traceparent);
  const { event: name, level } = entry;
  const fields = (): ReturnType<LogEntry["fields"]> => ({ ...entry.fields(), trace_id: traceId, span_id: spanId });
  return { event: name, level, text: () => entry.text(), fields };
}

function formatJson(): EntryFormat {
  const timeAt = cached(formatInstant, 1);
  return (entry, at, account) => {
    const { level, event } = entry;
    const text = printableLines(entry.text());
    return escapeBidi(JSON.stringify({ time: timeAt(at), level, event, account, text, ...entry.fields() }));
  };
}

type EntryFormat = (entry: LogEntry, at: Instant, account?: string) => string;

export function entryFormat(format: SandboxSettings["log"]["format"], terminal: Terminal): EntryFormat {
  return format === "json" ? formatJson() : formatPretty(terminal);
}

function formatPretty(terminal: Terminal): EntryFormat {
  const timeAt = cached((at) => new Date(at).toTimeString().slice(0, "00:00:00".length), SECOND);
  return (entry, at) => {
    const { event, level } = entry;
    const isPlain = event === "notice" || event === "ready";
    const words = isPlain ? printableLines(entry.text()) : printable(entry.text());
    const shown = level === "info" ? words : paint(words, LEVEL_STYLES[level], terminal);
    return isPlain ? shown : `${paint(timeAt(at), "dim", terminal)}  ${shown}`;
  };
}

const LEVEL_STYLES = { warn: "yellow", error: "red" } as const;

/** Formats a time once in each period. Looking up the time zone costs as much as the rest of a line. */
function cached(format: (at: Instant) => string, period: Millis): (at: Instant) => string {
  let current = Number.NaN;
  let text = "";
  return (at) => {
    const now = Math.floor(at / period);
    if (now !== current) text = format(at);
    current = now;
    return text;
  };
}

type SeenFinding = Pick<Finding, "id" | "severity" | "title" | "seen" | "why" | "repair" | "subject">;

/** Returns the log entry of a finding when it is first seen. Repetitions are not logged. */
export function findingEntry(finding: SeenFinding, maskPhoneNumbers: boolean): LogEntry {
  const { id, severity, title, why, repair } = finding;
  const seen = quoted(finding.seen, maskPhoneNumbers);
  return {
    level: severity === "defect" || severity === "risk" ? "warn" : "info",
    event: "finding",
    text: () => `finding   ${severity}  ${title} (${id}). ${seen} ${repair}`,
    fields: () => ({ id, severity, subject: quoted(finding.subject, maskPhoneNumbers), title, seen, why, repair }),
  };
}

/** Returns the client's traceparent for an event's request; for an event of a transaction, that of its first request. */
function traceparentOf(event: AccountEvent, { transactions }: AccountState): string | undefined {
  if (isRequestEvent(event)) return event.traits?.traceparent;
  return "requestId" in event ? transactions.get(event.requestId)?.accepted.traits?.traceparent : undefined;
}
