import { clientFor, control, report } from "./client.ts";
import type { ExitCode } from "./halt.ts";
import { expectWords } from "./read-said.ts";
import { CONTROL_FLAGS } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "reset";

export const reset: Verb = {
  usage: [`${USAGE} [flags]`],
  about:
    "Takes the account back to its start: wallet, journal, counters, clock; what was pending is dropped. In the midst of a rehearsal it\ngets back what it had before.",
  flags: CONTROL_FLAGS,
  run: resetAccount,
};

async function resetAccount(said: Said, terminal: Terminal): Promise<ExitCode> {
  expectWords(said.words, [], USAGE);
  const client = await clientFor(said, terminal);
  const answer = await control(client, { method: "POST", path: "/reset" });
  report(client, answer, [`Reset ${client.target.account} to its start.`]);
  return 0;
}
