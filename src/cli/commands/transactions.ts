import { describeParts, MISTOLD } from "../../gateway/account/readings/describe-order.ts";
import type { TransactionJson } from "../../control/client/shapes.ts";
import { controlCommand } from "../client.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { formatShillings, formatTable } from "../output.ts";

export const command = controlCommand<{ readonly items: readonly TransactionJson[]; readonly total: number }>({
  name: "transactions",
  about: [
    "List the latest accepted requests and their results, newest first: KNOWN is what answers and callbacks told your backend,",
    "GOT what the customer received.",
  ].join(" "),
  flags: [
    {
      name: "state",
      value: "STATE",
      choices: ["queued", "succeeded", "failed", "reversed", "stuck"],
      about: "only those in this state",
    },
    { name: "phone-number", value: "PHONE", about: "only those to this number; * stands for any digits" },
  ],
  examples: ["kredo transactions", "kredo transactions --state failed --json"],
  field: "items",
  request({ flags }) {
    const query = new URLSearchParams({ limit: "20" });
    for (const name of ["state", "phone-number"])
      if (flags.has(name)) query.set(name.replace("-", "_"), flags.get(name) ?? "");
    return { method: "GET", path: `transactions?${query.toString()}` };
  },
  describe: ({ items, total }, _, { terminal }) => [
    ...formatTable(HEADINGS, items.map(cellsOf), terminal),
    items.length === total
      ? `${counted(total, "transaction")}.`
      : `${items.length} of ${counted(total, "transaction")}.`,
  ],
});

const HEADINGS = ["ACCEPTED", "OPERATION", "PHONE", "STATE", "KNOWN", "GOT", "PAID", "REQUEST_ID"];

function cellsOf(transaction: TransactionJson): string[] {
  const { accepted_at: at, operation, phone_number: phoneNumber, state, paid } = transaction;
  const known = transaction.known === "both" ? "told two results" : (MISTOLD[transaction.known] ?? transaction.known);
  const result = transaction.result_code === null ? state : `${state} ${transaction.result_code}`;
  return [at, operation, phoneNumber, result, known, gotOf(transaction), formatShillings(paid), transaction.request_id];
}

function gotOf({ got }: TransactionJson): string {
  if (got === null) return "nothing";
  if (got.amount !== undefined) return formatShillings(got.amount);
  return got.parts === undefined ? "message" : describeParts(got.parts);
}
