import type { CallbackSettingsJson, ChangedCallbacks } from "../../control/client/shapes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { controlCommand } from "../client.ts";
import { readCallbackUrl } from "../flag-values.ts";
import { formatTable } from "../output.ts";
import { printWarnings } from "../terminal.ts";

export const command = controlCommand<CallbackSettingsJson & Partial<ChangedCallbacks>>({
  name: "callbacks",
  about: "Print where callbacks are sent, or register URL for airtime and SMS; none removes it.",
  arguments: ["[URL]"],
  flags: [
    { name: "airtime", value: "URL", about: "register this URL for airtime results" },
    { name: "sms", value: "URL", about: "register this URL for delivery reports" },
  ],
  examples: ["kredo callbacks http://localhost:3000/hooks", "kredo callbacks --sms none"],
  docs: "troubleshooting",
  field: "timeout",
  request({ words: [url], flags }) {
    const changeOf = (operation: Operation) =>
      changeTo(flags.has(operation) ? `--${operation}` : "URL", flags.get(operation) ?? url);
    const change = { airtime: changeOf("airtime"), sms: changeOf("sms") };
    const isChange = change.airtime !== undefined || change.sms !== undefined;
    return isChange ? { method: "PUT", path: "callbacks", body: change } : { method: "GET", path: "callbacks" };
  },
  describe({ airtime, sms, warnings = [] }, _, { terminal }) {
    printWarnings(terminal, warnings);
    const rows = [
      ["airtime", airtime ?? "none"],
      ["sms", sms ?? "none"],
    ];
    return formatTable(["OPERATION", "CALLBACK URL"], rows, terminal);
  },
});

/** Null removes a URL; undefined, which JSON omits, leaves it. */
function changeTo(place: string, url: string | undefined): string | null | undefined {
  return url === "none" ? null : url && readCallbackUrl(url, place);
}
