import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Detector, Finding } from "../../../control-client/shapes.ts";
import { accountClient, sandbox } from "../../api/sandbox.ts";
import { Refresher } from "../../live/refresher.ts";
import { explain } from "../../parts/notices.tsx";
import { book } from "../../store.ts";

/** What was noticed, and what is looked for. */
export interface Noticed {
  readonly findings: readonly Finding[];
  /** Of requests whose consumer key belongs to no account. */
  readonly unclaimed: readonly Finding[];
  readonly detectors: readonly Detector[];
  /** The ids of the detectors that watch. */
  readonly watched: ReadonlySet<string>;
}

type Reading =
  | { readonly is: "reading" }
  | { readonly is: "failed"; readonly text: string }
  | { readonly is: "read"; readonly noticed: Noticed };

/**
 * Reads the findings of an account whenever its journal has grown. The stream tells only of those that are new, and not
 * how often they were seen since.
 */
export function useNoticed(consumerKey: string): Reading {
  const [reading, setReading] = useState<Reading>({ is: "reading" });
  useEffect(() => {
    let detectors: Promise<readonly Detector[]> | undefined;
    let isWanted = true;
    const tell = (reading: Reading): void => {
      if (isWanted) setReading(reading);
    };
    const refresher = new Refresher(async () => {
      try {
        detectors ??= listDetectors();
        tell({ is: "read", noticed: { ...(await listFindings(consumerKey)), detectors: await detectors } });
      } catch (error) {
        detectors = undefined;
        tell({ is: "failed", text: explain(error) });
      }
    });
    const stopFollowing = effect(() => {
      void book.value;
      refresher.ask();
    });
    return () => {
      isWanted = false;
      stopFollowing();
      refresher.stop();
    };
  }, [consumerKey]);
  return reading;
}

interface FindingList {
  readonly items: readonly Finding[];
  readonly watched: readonly string[];
}

async function listFindings(consumerKey: string): Promise<Omit<Noticed, "detectors">> {
  const [own, unclaimed] = await Promise.all([
    accountClient(consumerKey).get<FindingList>("findings"),
    sandbox().get<FindingList>("findings"),
  ]);
  return { findings: own.items, unclaimed: unclaimed.items, watched: new Set(own.watched) };
}

async function listDetectors(): Promise<readonly Detector[]> {
  return (await sandbox().get<{ items: readonly Detector[] }>("detectors")).items;
}
