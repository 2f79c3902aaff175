import { Hono } from "hono";
import * as z from "zod";
import { ENTRY_KINDS, type LedgerLine } from "../gateway/account/readings/ledger.ts";
import { available, formatKes, kesAsNumber } from "../gateway/domain/kes.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { setBalance, topUp } from "../gateway/engine/commands.ts";
import { amountValue } from "../gateway/document/values.ts";
import { negotiate } from "./negotiate.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { answerInTurn } from "./in-turn.ts";
import { validBody, validQuery } from "./validate.ts";
import { type Json, momentJson, moneyJson } from "./json.ts";
import { isLongPage, listOf, listPage, pageQuery } from "./pages.ts";

export const walletShape = z.object({
  available: moneyJson.describe("The available balance in KES: the ledger's balance minus all holds."),
  held: moneyJson.describe("KES held for requests that have not settled."),
  ledger: moneyJson.describe("The sum of all ledger entries, in KES."),
});

export const entryShape = z.object({
  number: z.int().describe("The number of the event that it comes from."),
  at: momentJson,
  kind: z.enum(ENTRY_KINDS),
  amount: moneyJson.describe(
    "Signed KES: of a hold or release on the available balance, of any other entry on the balance.",
  ),
  request_id: z.string().optional(),
  balance: moneyJson,
  available: moneyJson,
});

export const walletCalls = new Hono<AccountEnv>()
  .get("/wallet", describeRoute("Read the wallet", walletShape), (c) => c.json(walletJson(c.var.account)))
  .put(
    "/wallet",
    describeRoute(
      "Set the available balance. Holds stay; the ledger records the difference as an adjustment",
      walletShape,
    ),
    validBody(z.strictObject({ balance: amountValue })),
    (c) => {
      setBalance(c.var.account, c.req.valid("json").balance);
      return c.json(walletJson(c.var.account));
    },
  )
  .post(
    "/wallet/top-ups",
    describeRoute("Add money, as a paybill payment would", walletShape, { shownBy: "/accounts/:account/ledger" }),
    validBody(z.strictObject({ amount: amountValue })),
    (c) => {
      topUp(c.var.account, c.req.valid("json").amount);
      return c.json(walletJson(c.var.account));
    },
  )
  .get(
    "/ledger",
    describeRoute(
      "Read the ledger, oldest entry first. With Accept: text/csv, the whole ledger as CSV",
      listOf(entryShape),
      { mediaTypes: ["text/csv"] },
    ),
    validQuery(z.strictObject(pageQuery)),
    answerInTurn(isLongPage),
    (c) => {
      const { account } = c.var;
      const rows = account.journal.index.ledger;
      const type = negotiate(c.req.header("accept"), ["application/json", "text/csv"]);
      if (type === "text/csv") return c.body(writeCsv(rows), 200, { "content-type": CSV });
      return c.json(listPage(account, { rows, keyOf: ledgerKey }, c.req.valid("query"), entryJson));
    },
  );

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
function writeCsv(entries: readonly LedgerLine[]): string {
  const rows = entries.map(({ number, at, kind, amount, requestId = "", balance, available }) =>
    [number, formatInstant(at), kind, formatKes(amount), requestId, formatKes(balance), formatKes(available)].join(","),
  );
  return ["number,at,kind,amount,request_id,balance,available", ...rows].map((row) => `${row}\r\n`).join("");
}

const CSV = "text/csv; charset=utf-8; header=present";
