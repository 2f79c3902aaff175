import { foldJournal } from "../account/apply.ts";
import { runInShell } from "../adapters/shell.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import type { GatewayAccess, Stage } from "../rehearsal/stage.ts";
import type { Client } from "./client.ts";
import { exchange, Unanswered } from "./exchange.ts";
import { Halt } from "./halt.ts";
import { testedAccount } from "./tested-account.ts";
import type { Terminal } from "./terminal.ts";

/** Sends requests to the application as any client would. */
const callOverHttp: HttpCaller = async (call) => {
  try {
    const { status, text } = await exchange(call);
    return { kind: "answered", status, text };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { kind: "silent", reason: error.message, wasReached: error.wasConnected };
  }
};

/** What all rehearsals of one call of the command have in common. */
export interface Ground extends Pick<Stage, "account" | "gateway" | "call" | "shell" | "clock" | "pause" | "report"> {
  /** Where the application is, if the command line or the environment says. */
  readonly application?: string;
}

/** Lays the ground on a running sandbox. Halts when it is not there. */
export async function groundOn(client: Client, terminal: Terminal, application: string | undefined): Promise<Ground> {
  const account = testedAccount(client);
  return {
    account,
    gateway: accessTo(client.target.url, foldJournal((await account.journal()).events)),
    call: callOverHttp,
    shell: runInShell,
    clock: terminal.clock,
    pause: terminal.pause,
    report: (fault) => terminal.stderr.write(`${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`),
    ...(application !== undefined && { application }),
  };
}

function accessTo(url: string, state: ReturnType<typeof foldJournal>): GatewayAccess {
  if (state === undefined) throw new Halt(1, `The sandbox at ${url} gave an empty journal.`);
  const { consumerKey, consumerSecret } = state.settings;
  return { url, consumerKey, consumerSecret };
}
