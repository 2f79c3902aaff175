import type * as z from "zod";
import type { configSchema } from "../config.ts";

type ConfigFile = z.input<typeof configSchema>;

/** An account's clock: real, manual, or x and a speed such as x10. */
export type ClockOption =
  | "real"
  | "manual"
  | `x${number}`
  | { mode: "real" | "manual" | "scaled" | `x${number}`; now?: string; scale?: number };

interface Clocked {
  /** How the clock of the account runs, or that of each account which does not say. Default real. */
  readonly clock?: ClockOption;
}

/** A description of an account, as in the config file's `accounts`. */
export type AccountOptions = Omit<NonNullable<ConfigFile["accounts"]>[number], "clock"> & Clocked;

/** The keys of the config file. In process, `port` defaults to 0, which takes a free port. */
export type SandboxOptions = Omit<ConfigFile, "clock" | "accounts"> &
  Clocked & {
    /** The customers of the gateway; the first is the default account. */
    readonly accounts?: readonly AccountOptions[];
  };

/** Adds a test's defaults to its account options. The clock stands still, so that no test sleeps. */
export function testAccount(options: AccountOptions = {}): AccountOptions {
  return { ...options, clock: options.clock ?? "manual" };
}
