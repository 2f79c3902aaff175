import { callGateway, clientFor, printAnswer } from "../client/client.ts";
import type { Command } from "../terminal/command.ts";
import { numberAt, textAt } from "../terminal/json-view.ts";
import { formatShillings, printable } from "../terminal/output.ts";
import { GATEWAY_FLAGS } from "../client/target.ts";

export const command: Command = {
  name: "balance",
  about: "Print the available balance, as returned by the gateway's account-details.",
  flags: GATEWAY_FLAGS,
  examples: ["kredo balance", "kredo balance --account test-1 --json"],
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const answer = await callGateway(client, { method: "GET", path: "/api/v2/account-details" });
    const available = formatShillings(numberAt(answer.json, "organization", "details", "available_balance"));
    const name = printable(textAt(answer.json, "organization", "name") ?? "?");
    printAnswer(client, answer, [`${available} available to ${name}`]);
    return 0;
  },
};
