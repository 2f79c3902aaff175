import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Refresher } from "../live/refresher.ts";
import { runAction } from "./notices.tsx";

/** Reads something for a component, and again whenever the signals that `changes` reads have changed. Returns undefined until it is read. */
export function useFollowed<Read>(key: string, changes: () => unknown, read: () => Promise<Read>): Read | undefined {
  const [latest, setLatest] = useState<Read>();
  useEffect(() => {
    let isWanted = true;
    const refresher = new Refresher(() =>
      runAction(async () => {
        const next = await read();
        if (isWanted) setLatest(next);
      }),
    );
    const stopFollowing = effect(() => {
      changes();
      refresher.ask();
    });
    return () => {
      isWanted = false;
      stopFollowing();
      refresher.stop();
    };
  }, [key]);
  return latest;
}
