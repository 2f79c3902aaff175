import * as z from "zod";
import { ENTRY_KINDS, type LedgerLine } from "../../account/readings/ledger.ts";
import { formatKes, kesAsNumber } from "../../domain/kes.ts";
import { formatInstant } from "../../domain/time.ts";
import { available } from "../../domain/wallet.ts";
import type { Account } from "../../engine/account.ts";
import { setBalance, topUp } from "../../engine/commands.ts";
import { amountValue, complain } from "../../document/values.ts";
import { type AccountCall, accountEndpoint, type Endpoint } from "./endpoint.ts";
import { limitValue, listOf, moment, money } from "./values.ts";

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

const topUpValue = amountValue.superRefine((amount, context) => {
  if (amount === 0) complain(context, { problem: "0.00 adds nothing", repair: "write at least 0.01" });
});

const CALLED = "/accounts/{account}/wallet";
const answers = { 200: { description: "The wallet", schema: walletShape } };

const ledgerQuery = z.strictObject({ limit: limitValue });

export const WALLET_ENDPOINTS: readonly Endpoint[] = [
  accountEndpoint({ method: "get", path: CALLED, summary: "Read the wallet", answers }, ({ account }) =>
    walletJson(account),
  ),
  accountEndpoint(
    {
      method: "put",
      path: CALLED,
      summary: "Set the available balance. Holds stay; the ledger records the difference as an adjustment",
      body: z.strictObject({ balance: amountValue }),
      answers,
    },
    ({ account, body }) => {
      setBalance(account, body.balance);
      return walletJson(account);
    },
  ),
  accountEndpoint(
    {
      method: "post",
      path: `${CALLED}/top-ups`,
      summary: "Add money, as a paybill payment would",
      body: z.strictObject({ amount: topUpValue }),
      answers,
    },
    ({ account, body }) => {
      topUp(account, body.amount);
      return walletJson(account);
    },
  ),
  accountEndpoint(
    {
      method: "get",
      path: "/accounts/{account}/ledger",
      summary: "Read the ledger, oldest entry first. With Accept: text/csv, the whole ledger as CSV",
      query: ledgerQuery,
      answers: { 200: { description: "The entries", schema: listOf(entryShape), mediaType: "text/csv" } },
    },
    answerLedger,
  ),
];

export function walletJson({ state }: Account): z.output<typeof walletShape> {
  const { wallet } = state;
  return {
    available: kesAsNumber(available(wallet)),
    held: kesAsNumber(wallet.held),
    ledger: kesAsNumber(wallet.balance),
  };
}

export function entryJson({
  number,
  at,
  kind,
  amount,
  requestId,
  balance,
  available,
}: LedgerLine): z.output<typeof entryShape> {
  return {
    number,
    at: formatInstant(at),
    kind,
    amount: kesAsNumber(amount),
    ...(requestId !== undefined && { request_id: requestId }),
    balance: kesAsNumber(balance),
    available: kesAsNumber(available),
  };
}

function answerLedger({ account, request, query }: AccountCall<z.output<typeof ledgerQuery>, unknown>) {
  const entries = account.index.ledger;
  if (/\btext\/csv\b/i.test(request.headers.get("accept") ?? "")) return csvAnswer(entries);
  return { items: entries.slice(0, query.limit).map(entryJson), total: entries.length, evicted: account.evicted };
}

/** Writes CSV (RFC 4180). No field can contain a comma, a quote or a line break, so none is quoted. */
function csvAnswer(entries: readonly LedgerLine[]): Response {
  const rows = entries.map(({ number, at, kind, amount, requestId = "", balance, available }) =>
    [number, formatInstant(at), kind, formatKes(amount), requestId, formatKes(balance), formatKes(available)].join(","),
  );
  const text = ["number,at,kind,amount,request_id,balance,available", ...rows].map((row) => `${row}\r\n`).join("");
  return new Response(text, { headers: { "content-type": "text/csv; charset=utf-8; header=present" } });
}
