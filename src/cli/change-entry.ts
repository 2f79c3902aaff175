import type { AccountEvent } from "../account/account-event.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import { formatKes, kesAsNumber } from "../domain/kes.ts";
import { showUrl } from "../domain/show-url.ts";
import { available } from "../domain/wallet.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { LogContext, LogEntry } from "./log-entry.ts";

export function changeEntry(event: AccountEvent, { state, reasonNotSent }: LogContext): LogEntry | undefined {
  const now = formatKes(available(state.wallet));
  switch (event.kind) {
    case "opened":
      return changed("account", `begins with KES ${now}, seed ${event.seed}`, {
        seed: event.seed,
        available: kesAsNumber(event.settings.balance),
      });
    case "topped-up":
      return changed("wallet", `KES ${formatKes(event.amount)} topped up, ${now} available`, {
        topped_up: kesAsNumber(event.amount),
      });
    case "wallet-set":
      return changed("wallet", `set to KES ${now} available`, { available: kesAsNumber(event.available) });
    case "callbacks-changed":
      return callbacksEntry(event.callbacks.urls, reasonNotSent);
    case "sender-id-submitted":
      return changed("sender ID", `${event.senderId} submitted to ${event.carrier} for KES ${formatKes(event.fee)}`, {
        sender_id: event.senderId,
        carrier: event.carrier,
      });
    default:
      return undefined;
  }
}

function callbacksEntry(
  { airtime, sms }: CallbackSettings["urls"],
  reasonNotSent: LogContext["reasonNotSent"],
): LogEntry {
  const [reason] = [airtime, sms].flatMap((target) => (target && reasonNotSent?.(target)) ?? []);
  return {
    level: reason === undefined ? "info" : "warn",
    event: "callbacks",
    text: `callbacks airtime ${shownUrl(airtime)}, sms ${shownUrl(sms)}${reason === undefined ? "" : `; never sent, because ${reason}`}`,
    fields: () => ({
      airtime: shownUrl(airtime),
      sms: shownUrl(sms),
      ...(reason !== undefined && { never_sent: reason }),
    }),
  };
}

function shownUrl(target: CallbackUrl | undefined): string {
  return target === undefined ? "none" : showUrl(target.url);
}

function changed(event: string, text: string, fields: ReturnType<LogEntry["fields"]>): LogEntry {
  return { level: "info", event: event.replace(" ", "_"), text: `${event.padEnd(9)} ${text}`, fields: () => fields };
}
