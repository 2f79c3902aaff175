import { askGateway, clientFor, expectAccepted, report } from "../client.ts";
import type { Command } from "../command.ts";
import { numberAt, textAt } from "../json-view.ts";
import { GATEWAY_FLAGS } from "../target.ts";
import { printable, formatShillings } from "../output.ts";

export const balance: Command = {
  name: "balance",
  about: "Print the available balance, as returned by the gateway's account-details.",
  flags: GATEWAY_FLAGS,
  examples: ["kredo balance", "kredo balance --consumer-key test-1 --json"],
  docs: "docs/quick-start.md",
  async run(args, terminal) {
    const client = await clientFor(args, terminal);
    const answer = await askGateway(client, { method: "GET", path: "/api/v2/account-details" });
    expectAccepted(client, answer);
    const available = numberAt(answer.json, "organization", "details", "available_balance");
    report(client, answer, [
      `${formatShillings(available)} available to ${printable(textAt(answer.json, "organization", "name") ?? "?")}`,
    ]);
    return 0;
  },
};
