import { quoteText } from "../../gateway/document/describe-value.ts";
import { parseKes } from "../../gateway/domain/kes.ts";
import { invalidInput } from "../terminal/cli-error.ts";
import { controlCommand } from "../client/client.ts";
import { formatShillings } from "../terminal/output.ts";

export const command = controlCommand({
  name: "top-up",
  about: "Add shillings to the account's wallet, as a paybill payment would.",
  arguments: ["<AMOUNT>"],
  examples: ["kredo top-up 500", "kredo top-up 99.50 --account test-1"],
  field: "available",
  request({ words: [amount = ""] }) {
    if (parseKes(amount) !== undefined) return { method: "POST", path: "wallet/top-ups", body: { amount } };
    const repair = "write shillings like 500 or 99.50";
    throw invalidInput("AMOUNT", { problem: `${quoteText(amount)} is not an amount`, repair });
  },
  describe: ({ available }, { words: [amount] }) => [
    `Topped up by ${formatShillings(Number(amount))}: ${formatShillings(available)} available.`,
  ],
});
