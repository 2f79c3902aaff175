import type * as z from "zod";
import type { configSchema } from "../config.ts";

/** The keys of the config file. In process, `port` defaults to 0, which takes a free port. */
export type SandboxOptions = z.input<typeof configSchema>;

/** A description of an account, as in the config file's `accounts`. */
export type AccountOptions = NonNullable<SandboxOptions["accounts"]>[number];

/** The default account options of a test. The clock stands still, so that no test sleeps. */
export const TEST_ACCOUNT: AccountOptions = { clock: "manual" };
