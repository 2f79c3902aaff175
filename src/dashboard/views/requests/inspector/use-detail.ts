import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ControlError } from "../../../../control/client/control-client.ts";
import { isTransactionEvent } from "../../../../gateway/account/event-guards.ts";
import type { ExchangeJson, TransactionDetail } from "../../../../control/client/shapes.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { Row } from "../../../live/sales.ts";
import { explainError } from "../../../parts/notices.tsx";
import { account, accountKey, live } from "../../../live/store.ts";

/** An exchange: `undefined` while it is read, `gone` if it is no longer kept. */
export type ExchangeState = ExchangeJson | "gone" | undefined;

/** What is known about a transaction. */
export type DetailState =
  | { readonly is: "loading" }
  | { readonly is: "loaded"; readonly detail: TransactionDetail }
  | { readonly is: "failed"; readonly text: string; readonly again: () => void };

/**
 * Reads a transaction from the control API, and again after each event about it or when its exchange has ended. Returns undefined for a
 * request that was not accepted.
 */
export function useDetail(requestId: string, row: Row | undefined, hasEnded: boolean): DetailState | undefined {
  const [loaded, setLoaded] = useState<DetailState>({ is: "loading" });
  const [tries, setTries] = useState(0);
  const wasAccepted = row === undefined || row.transaction !== undefined;
  const key = wasAccepted ? accountKey.value : undefined;
  const lastEvent = useLastEvent(requestId);
  useEffect(() => {
    if (key === undefined) return;
    const asked = { isLatest: true };
    const read = async (): Promise<void> => {
      const next = await readDetail(key, requestId, () => setTries((count) => count + 1));
      // If it can no longer be read, the last version stays: the journal may have forgotten it since.
      if (asked.isLatest) setLoaded((last) => (next.is === "failed" && last.is === "loaded" ? last : next));
    };
    void read();
    return () => void (asked.isLatest = false);
  }, [key, requestId, tries, lastEvent, hasEnded]);
  return wasAccepted ? loaded : undefined;
}

async function readDetail(consumerKey: string, requestId: string, again: () => void): Promise<DetailState> {
  try {
    return {
      is: "loaded",
      detail: await accountClient(consumerKey).get(`transactions/${encodeURIComponent(requestId)}`),
    };
  } catch (error) {
    return { is: "failed", text: explainError(error), again };
  }
}

/** Returns the number of the last event about a transaction since it was opened, also if the page does not keep its request. */
function useLastEvent(requestId: string): number {
  const last = useRef(0);
  useSignalEffect(() => {
    const { number = 0, event } = live.value?.lastEvent.value ?? {};
    if (event !== undefined && isTransactionEvent(event) && event.requestId === requestId) last.current = number;
  });
  // Several events share a redraw of the account, and so a read.
  void account.value;
  return last.current;
}

/** Wall-clock milliseconds between two reads of an exchange whose client is still waiting. No event reports its end. */
const LOOK_AGAIN = 500;

export function useExchange(requestId: string): ExchangeState {
  const [exchange, setExchange] = useState<ExchangeState>(undefined);
  const key = accountKey.value ?? "";
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const next = await readExchange(key, requestId);
      if (!isWanted) return;
      setExchange(next);
      if (next !== "gone" && next.ended === null) timer = setTimeout(() => void read(), LOOK_AGAIN);
    };
    void read();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, requestId]);
  return exchange;
}

async function readExchange(consumerKey: string, requestId: string): Promise<Exclude<ExchangeState, undefined>> {
  try {
    return await accountClient(consumerKey).get(`requests/${encodeURIComponent(requestId)}/exchange`);
  } catch (error) {
    if (error instanceof ControlError || error instanceof TypeError) return "gone";
    throw error;
  }
}
