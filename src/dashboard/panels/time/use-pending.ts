import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Clock, Pending } from "../../../testing/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { accountKey, book } from "../../store.ts";

/** At the most so often, in milliseconds, however much happens. */
const PAUSE = 300;

/** What the account has coming, read again whenever something has happened to it. */
export function usePending(): Signal<Pending | undefined> {
  const pending = useSignal<Pending | undefined>(undefined);
  const asked = useRef({ isUnderWay: false, isStale: false });
  const revision = book.value?.revision;
  const key = accountKey.value;
  useEffect(() => {
    if (key !== undefined) void refresh({ key, pending, asked: asked.current });
  }, [revision, key]);
  return pending;
}

interface Refresh {
  readonly key: string;
  readonly pending: Signal<Pending | undefined>;
  readonly asked: { isUnderWay: boolean; isStale: boolean };
}

/** One question at a time; what has happened meanwhile asks once more. */
async function refresh({ key, pending, asked }: Refresh): Promise<void> {
  asked.isStale = true;
  if (asked.isUnderWay) return;
  asked.isUnderWay = true;
  try {
    while (asked.isStale) {
      asked.isStale = false;
      pending.value = (await accountClient(key).get<Clock>("clock")).pending;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  } catch {
    // The connection is lost, which the page says already; it asks again when something happens.
  } finally {
    asked.isUnderWay = false;
  }
}
