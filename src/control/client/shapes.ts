import type * as z from "zod";
import type { matchValue } from "../match-requests.ts";
import type { Immutable } from "../../gateway/domain/immutable.ts";
import type { accountShape } from "../accounts.ts";
import type { attemptShape } from "../callback-attempts.ts";
import type { callbacksShape, changeValue, changedShape } from "../callbacks.ts";
import type { clockShape, pendingShape } from "../clock.ts";
import type { dryRunShape } from "../dry-run.ts";
import type { exchangeShape } from "../exchanges.ts";
import type { messageShape } from "../messages.ts";
import type { previewShape, scenarioList, scenarioShape } from "../scenarios.ts";
import type { shippedShape, shippedText } from "../shipped-scenarios.ts";
import type { requestShape } from "../requests.ts";
import type { transactionDetailShape, transactionShape } from "../transactions.ts";
import type { entryShape, walletShape } from "../wallet.ts";
import type { Comparison } from "../../gateway/scenario/matchers/comparison.ts";

/** The control API's responses, typed by its own schemas. */
export type AccountJson = z.output<typeof accountShape>;
export type Attempt = z.output<typeof attemptShape>;
export type CallbackSettingsJson = z.output<typeof callbacksShape>;
export type ChangedCallbacks = z.output<typeof changedShape>;
export type Pending = z.output<typeof pendingShape>;
export type Clock = z.output<typeof clockShape> & { readonly pending: Pending };
export type LedgerEntryJson = z.output<typeof entryShape>;
export type MessageJson = z.output<typeof messageShape>;
export type GatewayRequest = z.output<typeof requestShape>;
export type TransactionJson = z.output<typeof transactionShape>;
export type TransactionDetail = z.output<typeof transactionDetailShape>;
export type DryRun = z.output<typeof dryRunShape>;
export type ExchangeJson = z.output<typeof exchangeShape>;
export type ActiveScenarioJson = z.output<typeof scenarioShape>;
export type ScenarioPreview = z.output<typeof previewShape>;
export type ActiveScenariosJson = z.output<typeof scenarioList>;
export type ShippedScenario = z.output<typeof shippedShape>;
export type ShippedScenarioText = z.output<typeof shippedText>;
export type WalletJson = z.output<typeof walletShape>;

/** A list, or a page of it. */
export interface ListJson<Row> {
  readonly items: Row[];
  /** All matching rows, on whichever page. */
  readonly total: number;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** How much of a list is read. */
export interface ListBound {
  /** The most rows to return. Default: all that the account keeps, page by page. */
  readonly limit?: number;
}

/** Selects requests. A phone number may contain `*`; a message matches if it contains the text. */
export type RequestFilter = Immutable<z.input<typeof matchValue>>;

export type Count = number | Comparison;

/** Callback settings to change. Omitted keys stay unchanged; null removes a URL. */
export type CallbackChange = Immutable<z.input<typeof changeValue>>;
