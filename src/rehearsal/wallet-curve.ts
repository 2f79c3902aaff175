import type { KeptEvents } from "../account/readings/kept-events.ts";
import { readLedger } from "../account/readings/ledger.ts";
import { walletCurve, type WalletPoint } from "../account/readings/wallet-curve.ts";

/** Reads the curve of what was available out of a journal. */
export function readWalletCurve(kept: KeptEvents): WalletPoint[] {
  return walletCurve(readLedger(kept));
}
