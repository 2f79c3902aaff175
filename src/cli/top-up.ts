import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import { parseKes } from "../domain/kes.ts";
import { clientFor, control, report } from "./client.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { numberAt } from "./json-view.ts";
import { expectWords } from "./read-said.ts";
import { CONTROL_FLAGS } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { sayKes } from "./wording.ts";

const USAGE = "top-up AMOUNT";

export const topUp: Verb = {
  usage: [`${USAGE} [flags]`],
  about: "Adds shillings to the account's wallet, as the paybill would.",
  flags: CONTROL_FLAGS,
  run: addMoney,
};

async function addMoney(said: Said, terminal: Terminal): Promise<ExitCode> {
  const [amount] = expectWords(said.words, ["AMOUNT"], USAGE);
  if (parseKes(amount) === undefined)
    throw new Halt(
      2,
      formatMistake("AMOUNT", { problem: `${quote(amount)} is not an amount`, repair: "write shillings like 500 or 99.50" }),
    );
  const client = await clientFor(said, terminal);
  const answer = await control(client, { method: "POST", path: "/wallet/top-ups", body: { amount } });
  report(client, answer, [`Topped up by ${sayKes(Number(amount))}: ${sayKes(numberAt(answer.json, "available"))} available.`]);
  return 0;
}
