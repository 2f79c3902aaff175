import type { Finding } from "../../control-client/verdict-shapes.ts";
import { apply } from "../../account/apply.ts";
import type { AccountState } from "../../account/state.ts";
import type { JournalReader } from "../../control-client/follow-journal.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Instant } from "../../domain/time.ts";
import { type Client, clientFor, control, explainStranger, follow } from "../client.ts";
import { numberAt, textAt } from "../json-view.ts";
import { controlFlagsWhere } from "../target.ts";
import { CliError } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { numberFlag } from "../flag-values.ts";
import { entryFormat, entryOf, findingEntry } from "../event-log.ts";
import type { LogEntry } from "../log-entry.ts";
import { printLines } from "../terminal.ts";

const TAIL = 100;

export const logs: Command = {
  name: "logs",
  about: [
    "Print the account's log: requests, results, callbacks, changes and findings, at the times of the account's clock.",
    "With --follow, continue until Ctrl-C or until the sandbox stops.",
  ].join(" "),
  flags: [
    { name: "follow", about: "print new entries as they arrive" },
    { name: "tail", value: "N", about: `how many earlier entries to print (default: ${TAIL})` },
    ...controlFlagsWhere("print each entry as a line of JSON"),
  ],
  examples: ["kredo logs --follow", "kredo logs --tail 20 --json"],
  docs: "docs/look-inside.md",
  async run(args, terminal) {
    const tail = numberFlag(args, "tail", { min: 0, max: 1_000_000, otherwise: TAIL });
    const client = await clientFor(args, terminal);
    const interruption = terminal.interruption();
    const { consumerKey, version } = await readAccount(client);
    const format = entryFormat(client.isRaw ? "json" : "pretty", terminal);
    const hasCaughtUp = new AbortController();
    const isFollowing = args.flags.has("follow");
    const signal = isFollowing ? interruption : AbortSignal.any([interruption, hasCaughtUp.signal]);
    const earlier: string[] = [];
    const add = (entry: LogEntry, at: Instant): void => {
      const line = format(entry, at, consumerKey);
      if (hasCaughtUp.signal.aborted) printLines(terminal.stdout, [line]);
      else earlier.push(line);
    };
    let state: AccountState | undefined;
    await followUntil(signal, client, {
      alongside: {
        finding: (finding: Finding) => add(findingEntry(finding, false), Date.parse(finding.last_at)),
      },
      took: ({ event, number }) => {
        state = apply(state, event);
        const entry = entryOf(event, { state, maskPhoneNumbers: false });
        if (entry !== undefined) add(entry, event.at);
        if (number < version || hasCaughtUp.signal.aborted) return;
        printLines(terminal.stdout, tail === 0 ? [] : earlier.slice(-tail));
        hasCaughtUp.abort();
      },
    });
    if (!signal.aborted) printLines(terminal.stderr, [`The sandbox at ${client.target.url} ended the log.`]);
    return 0;
  },
};

async function readAccount(client: Client): Promise<{ consumerKey: string; version: number }> {
  const answer = await control(client, { method: "GET", path: "" });
  const [version, consumerKey] = [numberAt(answer.json, "journal_version"), textAt(answer.json, "consumer_key")];
  if (version === undefined || consumerKey === undefined)
    throw new CliError(3, explainStranger(client.target.url, answer));
  return { consumerKey, version };
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
