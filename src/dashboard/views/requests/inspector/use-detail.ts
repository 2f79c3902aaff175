import { useEffect, useState } from "preact/hooks";
import { ControlError } from "../../../../control/client/control-client.ts";
import type { ExchangeJson } from "../../../../control/client/shapes.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { AccountReading } from "../../../live/account-reading.ts";
import { LiveAccount } from "../../../live/live-account.ts";
import type { Row } from "../../../live/sales.ts";
import { account, accountKey, canBeOpened, live } from "../../../live/store.ts";

/** An exchange: `undefined` while it is read, `gone` if it is not stored. */
export type ExchangeState = ExchangeJson | "gone" | undefined;

/** Returns the row of a request: `undefined` while it is read, `gone` if the journal does not have it. A copy, because rows change in place. */
export function useRow(requestId: string): Row | "gone" | undefined {
  const { reading } = account.value ?? {};
  const kept = reading?.find(requestId);
  const whole = useWholeJournal(kept === undefined && canBeOpened(requestId));
  const row = kept ?? whole?.find(requestId);
  if (row !== undefined) return { ...row };
  return reading !== undefined && isRead(reading, whole) ? "gone" : undefined;
}

/** Whether all of the journal was read, as far as it goes back. */
function isRead(kept: AccountReading, whole: AccountReading | undefined): boolean {
  return kept.older === 0 || (whole !== undefined && whole.version >= kept.version);
}

/** Reads all of the account's journal beside what the page keeps of it, if that is not enough, and follows it. */
function useWholeJournal(isNeeded: boolean): AccountReading | undefined {
  const [whole, setWhole] = useState<LiveAccount>();
  const key = isNeeded ? accountKey.value : undefined;
  useEffect(() => {
    if (key === undefined) return;
    const followed = new LiveAccount(key, accountClient(key), Infinity);
    setWhole(followed);
    void followed.follow();
    return () => {
      followed.stop();
      setWhole(undefined);
    };
  }, [key]);
  void whole?.revision.value;
  return whole?.reading;
}

/** Wall-clock milliseconds between two reads of an exchange whose client is still waiting. No event reports its end. */
const LOOK_AGAIN = 500;

/** Returns the bytes of a request and its answer. What was read stays when the sandbox stops. */
export function useExchange(requestId: string): ExchangeState {
  const [exchange, setExchange] = useState<ExchangeState>(undefined);
  const key = accountKey.value ?? "";
  const isLive = live.value?.connection.value.is === "live";
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const next = await readExchange(key, requestId);
      if (!isWanted) return;
      setExchange((last) => (next === "gone" && isComplete(last) ? last : next));
      if (next !== "gone" && next.ended === null) timer = setTimeout(() => void read(), LOOK_AGAIN);
    };
    void read();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, requestId, isLive]);
  return exchange;
}

function isComplete(exchange: ExchangeState): boolean {
  return typeof exchange === "object" && exchange.ended !== null;
}

async function readExchange(consumerKey: string, requestId: string): Promise<Exclude<ExchangeState, undefined>> {
  try {
    return await accountClient(consumerKey).get(`requests/${encodeURIComponent(requestId)}/exchange`);
  } catch (error) {
    if (error instanceof ControlError || error instanceof TypeError) return "gone";
    throw error;
  }
}
