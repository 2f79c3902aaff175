import { LiveFindings } from "../../src/verdict/checks/live-findings.ts";
import { WATCHERS } from "../../src/verdict/checks/all-checks.ts";
import type { FindingsOptions } from "../../src/verdict/checks/findings.ts";
import { type TestWorld, type TestWorldOptions, testWorld } from "./gateway/world.ts";

export interface WatchedWorldOptions extends TestWorldOptions {
  /** What looks for findings; default every watcher. */
  readonly watching?: Partial<FindingsOptions>;
}

export interface WatchedWorld extends TestWorld {
  readonly findings: LiveFindings;
}

/** A test's world whose accounts are watched for findings. */
export function watchedWorld({ watching, faults = [], ...options }: WatchedWorldOptions = {}): WatchedWorld {
  const report = (fault: unknown): void => void faults.push(fault);
  const findings = new LiveFindings({ watchers: WATCHERS, settings: {}, report, ...watching });
  const world = testWorld({ ...options, faults, onOpened: (account, past) => findings.follow(account, past) });
  return { ...world, findings };
}
