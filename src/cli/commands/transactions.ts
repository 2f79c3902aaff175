import { describePartNumbers } from "../../gateway/account/readings/describe-order.ts";
import type { TransactionJson } from "../../control/client/shapes.ts";
import { controlCommand } from "../client/client.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { numberFlag } from "../terminal/flag-values.ts";
import { formatShillings, formatTable } from "../terminal/output.ts";

const ROWS = 20;
const MAX_ROWS = 1_000_000;

export const command = controlCommand({
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
    { name: "limit", value: "ROWS", about: `how many to list, or all (default: ${ROWS})` },
  ],
  examples: ["kredo transactions", "kredo transactions --state failed --limit all --json"],
  request: (args) => ({
    path: "transactions",
    query: { state: args.flags.get("state"), phone_number: args.flags.get("phone-number") },
    rows: args.flags.get("limit") === "all" ? Infinity : numberFlag(args, "limit", [1, MAX_ROWS], ROWS),
  }),
  describe: ({ items, total }, _, { terminal }) => [
    ...formatTable(HEADINGS, items.map(cellsOf), terminal),
    items.length === total
      ? `${counted(total, "transaction")}.`
      : `${items.length} of ${counted(total, "transaction")}; --limit all lists them all.`,
  ],
});

const HEADINGS = ["ACCEPTED", "OPERATION", "PHONE", "STATE", "KNOWN", "GOT", "PAID", "REQUEST_ID"];

function cellsOf(transaction: TransactionJson): string[] {
  const { accepted_at: at, operation, phone_number: phoneNumber, state, paid } = transaction;
  const result = transaction.result_code === null ? state : `${state} ${transaction.result_code}`;
  return [
    at,
    operation,
    phoneNumber,
    result,
    transaction.known,
    gotOf(transaction),
    formatShillings(paid),
    transaction.request_id,
  ];
}

function gotOf({ got }: TransactionJson): string {
  if (got === null) return "nothing";
  if (got.amount !== undefined) return formatShillings(got.amount);
  return got.parts === undefined ? "message" : describePartNumbers(got.parts);
}
