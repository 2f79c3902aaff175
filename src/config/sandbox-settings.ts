import type { DetectorId } from "../domain/detector-ids.ts";
import type { AccountSettings, ClockSettings, GatewaySettings, Organization, RateLimit } from "../domain/settings.ts";

/** All that a sandbox is started with. */
export interface SandboxSettings {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  readonly logFormat: "pretty" | "json";
  readonly maskPhoneNumbers: boolean;
  /** HTTPS besides HTTP. */
  readonly https?: HttpsSettings;
  readonly adminToken?: string;
  /** Names besides the usual ones that the control API may be called by. */
  readonly adminHosts: readonly string[];
  /** Public hosts that untrusted callback URLs may name; `*.` before a name stands for everything below it. */
  readonly callbackAllow: readonly string[];
  /** Patterns of consumer keys that open an account of their own. */
  readonly autoAccounts: readonly string[];
  readonly journal: JournalSettings;
  readonly findings: FindingSettings;
  readonly gateway: GatewaySettings;
  /** What an account gets that does not say otherwise. */
  readonly seed?: number;
  readonly clock: ClockSettings;
  /** At least one; the first is the default account. */
  readonly accounts: readonly [AccountTemplate, ...AccountTemplate[]];
}

/** HTTPS on a port of its own, with a certificate of a local authority. */
export interface HttpsSettings {
  /** 0 takes a free one. */
  readonly port: number;
  /** Names and addresses that the certificate is for, besides the usual ones. */
  readonly names: readonly string[];
  /** Where the authority is kept; the user's folder for data unless said. */
  readonly caFolder?: string;
  /** A file that its certificate is written to, besides. */
  readonly caOut?: string;
}

/** What the detectors of findings are told. */
export interface FindingSettings {
  /** More requests than that are a burst; without it none is. */
  readonly burst?: RateLimit;
  /** Detectors that do not watch. */
  readonly off: readonly DetectorId[];
}

/** Bounds for each account. */
export interface JournalSettings {
  readonly maxTransactions: number;
  readonly maxBytes: number;
  readonly maxUnresolved: number;
}

/** An account as far as it was written down; what its organization lacks is made up later, from the seed. */
export type AccountTemplate = Omit<AccountSettings, "organization"> & { readonly organization: Partial<Organization> };
