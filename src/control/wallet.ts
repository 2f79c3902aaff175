import * as z from "zod";
import { ENTRY_KINDS, type LedgerLine } from "../gateway/account/readings/ledger.ts";
import { available, formatKes, kesAsNumber } from "../gateway/domain/kes.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { setBalance, topUp } from "../gateway/engine/commands.ts";
import { amountValue } from "../gateway/document/values.ts";
import { preferred } from "./preferred.ts";
import { type ControlRoute, route } from "./route.ts";
import { type Json, moment, money } from "./json.ts";
import { isLongPage, listOf, listPage, pageQuery } from "./pages.ts";

export const walletShape = z.object({
  available: money.describe("The available balance in KES: the ledger's balance minus all holds."),
  held: money.describe("KES held for requests that have not settled."),
  ledger: money.describe("The sum of all ledger entries, in KES."),
});

export const entryShape = z.object({
  number: z.int().describe("The number of the event that it comes from."),
  at: moment,
  kind: z.enum(ENTRY_KINDS),
  amount: money.describe(
    "Signed KES: of a hold or release on the available balance, of any other entry on the balance.",
  ),
  request_id: z.string().optional(),
  balance: money,
  available: money,
});

export const WALLET_ROUTES: readonly ControlRoute[] = [
  route("GET", "/accounts/{account}/wallet", {
    summary: "Read the wallet",
    answer: walletShape,
    serve: ({ account }) => walletJson(account),
  }),
  route("PUT", "/accounts/{account}/wallet", {
    summary: "Set the available balance. Holds stay; the ledger records the difference as an adjustment",
    body: z.strictObject({ balance: amountValue }),
    answer: walletShape,
    serve({ account, body }) {
      setBalance(account, body.balance);
      return walletJson(account);
    },
  }),
  route("POST", "/accounts/{account}/wallet/top-ups", {
    shownBy: "/accounts/{account}/ledger",
    summary: "Add money, as a paybill payment would",
    body: z.strictObject({ amount: amountValue }),
    answer: walletShape,
    serve({ account, body }) {
      topUp(account, body.amount);
      return walletJson(account);
    },
  }),
  route("GET", "/accounts/{account}/ledger", {
    summary: "Read the ledger, oldest entry first. With Accept: text/csv, the whole ledger as CSV",
    query: z.strictObject(pageQuery),
    isLarge: isLongPage,
    answer: listOf(entryShape),
    mediaTypes: ["text/csv"],
    serve({ account, request, query }) {
      const entries = account.journal.index.ledger;
      const type = preferred(request.headers.get("accept"), ["application/json", "text/csv"]);
      if (type === "text/csv") return csvAnswer(entries);
      return listPage(account, { rows: entries, keyOf: ledgerKey }, query, entryJson);
    },
  }),
];

/** A settlement may have two entries, of which the charge is the second. */
function ledgerKey({ number, kind }: LedgerLine): number {
  return 2 * number + (kind === "charge" ? 1 : 0);
}

export function walletJson({ state: { wallet } }: RunningAccount): Json<typeof walletShape> {
  return {
    available: kesAsNumber(available(wallet)),
    held: kesAsNumber(wallet.held),
    ledger: kesAsNumber(wallet.balance),
  };
}

export function entryJson(line: LedgerLine): Json<typeof entryShape> {
  const { number, at, kind, amount, requestId, balance, available } = line;
  return {
    number,
    at: formatInstant(at),
    kind,
    amount: kesAsNumber(amount),
    request_id: requestId,
    balance: kesAsNumber(balance),
    available: kesAsNumber(available),
  };
}

/** Writes CSV (RFC 4180). No field can contain a comma, a quote or a line break, so none is quoted. */
function csvAnswer(entries: readonly LedgerLine[]): Response {
  const rows = entries.map(({ number, at, kind, amount, requestId = "", balance, available }) =>
    [number, formatInstant(at), kind, formatKes(amount), requestId, formatKes(balance), formatKes(available)].join(","),
  );
  const text = ["number,at,kind,amount,request_id,balance,available", ...rows].map((row) => `${row}\r\n`).join("");
  return new Response(text, { headers: { "content-type": "text/csv; charset=utf-8; header=present" } });
}
