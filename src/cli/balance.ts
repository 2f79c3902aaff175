import { askGateway, clientFor, report } from "./client.ts";
import type { ExitCode } from "./halt.ts";
import { numberAt, textAt } from "./json-view.ts";
import { expectWords } from "./read-said.ts";
import { refuseUnlessAccepted } from "./refuse-unless-accepted.ts";
import { GATEWAY_FLAGS } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { printable, sayKes } from "./wording.ts";

const USAGE = "balance";

export const balance: Verb = {
  usage: [`${USAGE} [flags]`],
  about: "Asks the gateway for the account's details and prints the available balance.",
  flags: GATEWAY_FLAGS,
  run: printBalance,
};

async function printBalance(said: Said, terminal: Terminal): Promise<ExitCode> {
  expectWords(said.words, [], USAGE);
  const client = await clientFor(said, terminal);
  const answer = await askGateway(client, { method: "GET", path: "/api/v2/account-details" });
  refuseUnlessAccepted(client, answer);
  const available = numberAt(answer.json, "organization", "details", "available_balance");
  report(client, answer, [`${sayKes(available)} available to ${printable(textAt(answer.json, "organization", "name") ?? "?")}`]);
  return 0;
}
