import type { AccountEvent } from "../account/events.ts";
import { formatKes, kesAsNumber } from "../domain/kes.ts";
import { available } from "../domain/wallet.ts";
import type { LogContext, LogEntry } from "./log-entry.ts";

/** The entry of a change that somebody made to an account. */
export function changeEntry(event: AccountEvent, { state }: LogContext): LogEntry | undefined {
  const now = formatKes(available(state.wallet));
  switch (event.kind) {
    case "opened":
      return entry("account", `begins with KES ${now}, seed ${event.seed}`, {
        seed: event.seed,
        available: kesAsNumber(event.settings.balance),
      });
    case "topped-up":
      return entry("wallet", `KES ${formatKes(event.amount)} topped up, ${now} available`, { topped_up: kesAsNumber(event.amount) });
    case "wallet-set":
      return entry("wallet", `set to KES ${now} available`, { available: kesAsNumber(event.available) });
    case "sender-id-submitted":
      return entry("sender ID", `${event.senderId} submitted to ${event.carrier} for KES ${formatKes(event.fee)}`, {
        sender_id: event.senderId,
        carrier: event.carrier,
      });
    default:
      return undefined;
  }
}

function entry(event: string, text: string, fields: ReturnType<LogEntry["fields"]>): LogEntry {
  return { level: "info", event: event.replace(" ", "_"), text: `${event.padEnd(9)} ${text}`, fields: () => fields };
}
