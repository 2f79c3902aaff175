import type { FindingJson } from "../../verdict/endpoints/shapes.ts";
import { apply } from "../../gateway/account/apply.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import type { JournalReader } from "../../control/client/follow-journal.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import { CliError } from "../terminal/cli-error.ts";
import { type Client, clientFor, callControl, explainOtherServer, follow } from "../client/client.ts";
import type { Command } from "../terminal/command.ts";
import { entryFormat, entryOf, findingEntry } from "../log/event-log.ts";
import { numberAt, textAt } from "../terminal/json-view.ts";
import type { LogEntry } from "../log/log-entry.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import { printLines } from "../terminal/terminal.ts";

export const command: Command = {
  name: "logs",
  about: [
    "Print the account's log: requests, results, callbacks, changes and findings, at the times of the account's clock.",
    "With --follow, continue until Ctrl-C or until the sandbox stops. With --json, each entry is a line of JSON.",
  ].join(" "),
  flags: [{ name: "follow", about: "print new entries as they arrive" }, ...CONTROL_FLAGS],
  examples: ["kredo logs --follow", "kredo logs --json"],
  docs: "operate",
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const interruption = terminal.interruption();
    const { consumerKey, version } = await readAccount(client);
    const format = entryFormat(client.isRaw ? "json" : "pretty", terminal);
    const caughtUp = new AbortController();
    const signal = args.flags.has("follow") ? interruption : AbortSignal.any([interruption, caughtUp.signal]);
    const print = (entry: LogEntry, at: Instant): void => printLines(terminal.stdout, [format(entry, at, consumerKey)]);
    let state: AccountState | undefined;
    await followUntil(signal, client, {
      alongside: {
        finding: (finding: FindingJson) => print(findingEntry(finding, false), Date.parse(finding.last_at)),
      },
      took: ({ event, number }) => {
        state = apply(state, event);
        const entry = entryOf(event, { state, maskPhoneNumbers: false });
        if (entry !== undefined) print(entry, event.at);
        if (number >= version) caughtUp.abort();
      },
    });
    if (!signal.aborted) printLines(terminal.stderr, [`The sandbox at ${client.target.url} ended the log.`]);
    return 0;
  },
};

async function readAccount(client: Client): Promise<{ consumerKey: string; version: number }> {
  const answer = await callControl(client, { method: "GET", path: "" });
  const [version, consumerKey] = [numberAt(answer.json, "journal_version"), textAt(answer.json, "consumer_key")];
  if (version !== undefined && consumerKey !== undefined) return { consumerKey, version };
  throw new CliError(3, explainOtherServer(client.target.url, answer));
}

async function followUntil(
  signal: AbortSignal,
  client: Client,
  reader: Pick<JournalReader, "alongside" | "took">,
): Promise<void> {
  try {
    await follow(client, { ...reader, signal, opened: () => {} });
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof CliError) throw error;
    throw new CliError(3, `The connection to ${client.target.url} broke (${messageOf(error)}); run kredo logs again.`);
  }
}
