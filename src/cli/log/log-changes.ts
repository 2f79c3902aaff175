import { inForce } from "../../gateway/account/state.ts";
import { CALLBACK_URLS } from "../../gateway/domain/callback-outcome.ts";
import { forEachProduct } from "../../gateway/domain/order.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { CallbackUrl } from "../../gateway/settings/callbacks.ts";
import { available, showKes, kesAsNumber } from "../../gateway/domain/kes.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import type { CallbackSettings } from "../../gateway/settings/callbacks.ts";
import type { AccountState } from "../../gateway/account/state.ts";

/** A log entry: fields for machines and a line for people. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  /** For people. Only one of the two is computed: they are most of the cost of a line. */
  text(): string;
  /** For machines. */
  fields(): Readonly<Record<string, unknown>>;
}

export interface LogContext {
  readonly state: AccountState;
  readonly maskPhoneNumbers: boolean;
  /** Returns why callbacks to a URL would never be sent. */
  readonly reasonNotSent?: (target: CallbackUrl) => string | undefined;
}

/** Returns the log entry of a change of the account: its opening, its money, its callback URLs, its sender IDs. */
export function changeEntry(event: AccountEvent, context: LogContext): LogEntry | undefined {
  const now = showKes(available(context.state.wallet));
  switch (event.kind) {
    case "opened":
      return changed("account", `begins with KES ${now}, seed ${event.seed}`, {
        seed: event.seed,
        available: kesAsNumber(event.settings.balance),
      });
    case "topped-up":
      return changed("wallet", `KES ${showKes(event.amount)} topped up, ${now} available`, {
        topped_up: kesAsNumber(event.amount),
      });
    case "wallet-set":
      return changed("wallet", `set to KES ${now} available`, { available: kesAsNumber(event.available) });
    case "callbacks-changed":
      return callbacksEntry(inForce(context.state).callbacks.urls, context);
    case "sender-id-submitted": {
      const { senderId, carrier, fee } = event;
      const text = `${senderId} submitted to ${carrier} for KES ${showKes(fee)}`;
      return changed("sender ID", text, { sender_id: senderId, carrier });
    }
    default:
      return undefined;
  }
}

function callbacksEntry(urls: CallbackSettings["urls"], { reasonNotSent }: LogContext): LogEntry {
  const also = urls.also && { also: showUrl(urls.also.url) };
  const shown = { ...forEachProduct((product) => shownUrl(urls[product])), ...also };
  const [reason] = CALLBACK_URLS.flatMap((key) => (urls[key] && reasonNotSent?.(urls[key])) ?? []);
  const never = reason === undefined ? "" : `; never sent, because ${reason}`;
  return {
    level: reason === undefined ? "info" : "warn",
    event: "callbacks",
    text: () =>
      `callbacks ${Object.entries(shown)
        .map((one) => one.join(" "))
        .join(", ")}${never}`,
    fields: () => ({ ...shown, never_sent: reason }),
  };
}

function shownUrl(target: CallbackUrl | undefined): string {
  return target === undefined ? "none" : showUrl(target.url);
}

/** Returns the entry of a change that needs no explanation. */
export function changed(event: string, text: string, fields: ReturnType<LogEntry["fields"]>): LogEntry {
  return {
    level: "info",
    event: event.replace(" ", "_"),
    text: () => `${event.padEnd(9)} ${text}`,
    fields: () => fields,
  };
}
