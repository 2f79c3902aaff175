import { randomUUID } from "node:crypto";
import { configSchema } from "../../config.ts";
import { BROKEN_CREDENTIALS } from "../../gateway/adapters/server/broken-credentials.ts";
import type { Unreadable } from "../../gateway/adapters/server/unreadable.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import { counted } from "../../gateway/domain/counted.ts";
import type { Command } from "../terminal/command.ts";
import { runInForeground } from "../terminal/foreground-command.ts";
import { environmentOf, startOwnSandbox } from "../serve/own-sandbox.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

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
    const events: AccountEvent[] = [];
    const unreadable: Unreadable[] = [];
    await using sandbox = await startOwnSandbox(settingsAsLong(), [], terminal, (one) => void unreadable.push(one));
    sandbox.running.world.observe((_account, event) => events.push(event));
    const environment = { ...terminal.env, ...environmentOf(sandbox) };
    const end = await runInForeground({ words: [name, ...rest], environment });
    if (end.kind === "not begun") {
      printLines(terminal.stderr, [end.problem]);
      return end.code;
    }
    return printVerdict(events, unreadable, terminal);
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

function printVerdict(events: readonly AccountEvent[], unreadable: readonly Unreadable[], terminal: Terminal): 0 | 1 {
  const sent = events.filter(isRequestEvent);
  const requests = sent.filter((event) => event.kind !== "refused" || !BEFORE_401.includes(event.code));
  const hints = requests.flatMap((event) => (event.kind === "refused" && event.code === 401 ? [event.hint] : []));
  const broken = unreadable.filter(({ kind }) => kind === "broken-credentials").length;
  const isWhole = requests.length > 0 && hints.length + broken === 0;
  const verdict = isWhole
    ? `ok  ${counted(requests.length, "request")} arrived with the whole key (35 characters) and secret (28).`
    : `FAILED  ${describeFailure(hints, broken, sent.length - requests.length)}`;
  // Standard output is the command's.
  printLines(terminal.stderr, [verdict]);
  return isWhole ? 0 : 1;
}

/** `elsewhere` is the number of requests that were refused before their credentials were read. */
function describeFailure(hints: readonly (string | undefined)[], broken: number, elsewhere: number): string {
  if (broken > 0)
    return `${counted(broken, "request")} got 400: ${BROKEN_CREDENTIALS.problem}; ${BROKEN_CREDENTIALS.repair}.`;
  if (hints.length > 0)
    return `${counted(hints.length, "request")} got 401: ${hints[0] ?? "the credentials are wrong"}. Compare what your client sends with KREDO_CONSUMER_KEY and KREDO_CONSUMER_SECRET.`;
  const what =
    elsewhere === 0 ? "No request arrived" : `${counted(elsewhere, "request")} arrived, and none reached an endpoint`;
  return `${what}. Let COMMAND send to KREDO_BASE_URL, for example GET /account-details.`;
}
