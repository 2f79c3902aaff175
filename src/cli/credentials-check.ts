import { randomUUID } from "node:crypto";
import { configSchema } from "../config.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import { isRequestEvent } from "../gateway/account/event-guards.ts";
import { counted } from "../gateway/domain/counted.ts";
import type { Command } from "./command.ts";
import { runInForeground } from "./foreground-command.ts";
import { environmentOf, startOwnSandbox } from "./serve/open-sandbox.ts";
import { printLines, type Terminal } from "./terminal.ts";

export const credentials: Command = {
  name: "credentials",
  about: [
    "Check that your own client sends a key and a secret whole that are as long as those of production: their Base64 has 88",
    "characters, and some commands wrap it after 76. COMMAND sends a request or more to a sandbox of its own, which it finds by the",
    "variables KREDO_BASE_URL, KREDO_CONSUMER_KEY and KREDO_CONSUMER_SECRET. Exit code 1 if they do not arrive whole;",
    "127 if there is no such command, 126 if it cannot be started.",
  ].join(" "),
  usage: "-- COMMAND...",
  arguments: ["<COMMAND...>"],
  flags: [],
  examples: ["kredo doctor credentials -- php send-airtime.php"],
  docs: "going-live",
  async run({ words: [name = "", ...rest] }, terminal) {
    await using sandbox = await startOwnSandbox(settingsAsLong(), [], terminal);
    const events: AccountEvent[] = [];
    sandbox.running.world.observe((_account, event) => events.push(event));
    const environment = { ...terminal.env, ...environmentOf(sandbox) };
    const end = await runInForeground({ words: [name, ...rest], environment });
    if (end.kind === "not begun") {
      printLines(terminal.stderr, [end.problem]);
      return end.code;
    }
    return printVerdict(events, terminal);
  },
};

/** Live keys have 35 characters and live secrets 28 (the owner's public portal, by form). */
function settingsAsLong() {
  const [key, secret] = [randomUUID(), randomUUID()].map((id) => id.replaceAll("-", ""));
  return configSchema.parse({
    port: 0,
    accounts: [{ consumer_key: `254${key}`, consumer_secret: secret?.slice(0, 28) }],
  });
}

/** Path, method and size are checked before the credentials. */
const BEFORE_401 = [404, 405, 413];

function printVerdict(events: readonly AccountEvent[], terminal: Terminal): 0 | 1 {
  const requests = events
    .filter(isRequestEvent)
    .filter((event) => event.kind !== "refused" || !BEFORE_401.includes(event.code));
  const hints = requests.flatMap((event) => (event.kind === "refused" && event.code === 401 ? [event.hint] : []));
  const isWhole = requests.length > 0 && hints.length === 0;
  const verdict = isWhole ? `ok  ${describeWhole(requests.length)}` : `FAILED  ${describeBroken(hints)}`;
  // Standard output is the command's.
  printLines(terminal.stderr, [verdict]);
  return isWhole ? 0 : 1;
}

function describeWhole(requests: number): string {
  return `${counted(requests, "request")} arrived with the whole key (35 characters) and secret (28).`;
}

function describeBroken(hints: readonly (string | undefined)[]): string {
  if (hints.length > 0)
    return `${counted(hints.length, "request")} got 401: ${hints[0] ?? "the credentials are wrong"}. Compare what your client sends with KREDO_CONSUMER_KEY and KREDO_CONSUMER_SECRET.`;
  return [
    "No request with credentials arrived. If your client got 400, a line end breaks its Authorization header:",
    "base64 wraps after 76 characters, so pipe its output through tr -d '\\r\\n'.",
    "Otherwise let COMMAND send to KREDO_BASE_URL.",
  ].join(" ");
}
