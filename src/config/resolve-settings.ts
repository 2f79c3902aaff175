import type { ClockSettings } from "../domain/settings.ts";
import type { Config } from "./config-schema.ts";
import { HOST, HTTPS_PORT, JOURNAL, PORT } from "./defaults.ts";
import { resolveAccount } from "./resolve-account.ts";
import { resolveGateway } from "./resolve-gateway.ts";
import type { FindingSettings, JournalSettings, SandboxSettings } from "./sandbox-settings.ts";

/** The whole sandbox from a config, defaults filled in; an empty config gives the default sandbox. */
export function resolveSettings(config: Config): SandboxSettings {
  const { seed, clock = { mode: "real" } } = config;
  const given = { ...(seed !== undefined && { seed }), clock };
  return {
    port: config.port ?? PORT,
    host: config.host ?? HOST,
    ...resolveHttps(config),
    ...resolveLog(config.log),
    ...resolveAdmin(config.admin),
    callbackAllow: config.callback_allow ?? [],
    autoAccounts: config.auto_accounts ?? [],
    journal: resolveJournal(config.journal),
    findings: resolveFindings(config.findings),
    gateway: resolveGateway(config),
    ...given,
    accounts: resolveAccounts(config, given),
  };
}

/** Who takes any free port for HTTP wants no fixed one for HTTPS. */
function resolveHttps({ port, https: written }: Config): Pick<SandboxSettings, "https"> {
  if (written === undefined || written.enabled === false) return {};
  const { names = [], ca_folder: caFolder, ca_out: caOut } = written;
  const https = { port: written.port ?? (port === 0 ? 0 : HTTPS_PORT), names };
  return { https: { ...https, ...(caFolder !== undefined && { caFolder }), ...(caOut !== undefined && { caOut }) } };
}

function resolveLog(written: Config["log"] = {}): Pick<SandboxSettings, "logFormat" | "maskPhoneNumbers"> {
  return { logFormat: written.format ?? "pretty", maskPhoneNumbers: written.mask_phone_numbers ?? true };
}

function resolveAdmin(written: Config["admin"] = {}): Pick<SandboxSettings, "adminToken" | "adminHosts"> {
  return { ...(written.token !== undefined && { adminToken: written.token }), adminHosts: written.hosts ?? [] };
}

function resolveJournal(written: Config["journal"] = {}): JournalSettings {
  return {
    maxTransactions: written.max_transactions ?? JOURNAL.maxTransactions,
    maxBytes: written.max_bytes ?? JOURNAL.maxBytes,
    maxUnresolved: written.max_unresolved ?? JOURNAL.maxUnresolved,
  };
}

function resolveFindings({ burst, off = [] }: NonNullable<Config["findings"]> = {}): FindingSettings {
  return { ...(burst && { burst }), off };
}

/** Whoever writes the config owns this machine, so that its callback URLs are trusted. */
function resolveAccounts({ accounts = [] }: Config, given: { seed?: number; clock: ClockSettings }): SandboxSettings["accounts"] {
  const [first = {}, ...others] = accounts;
  const defaults = { ...given, trusted: true };
  return [resolveAccount(first, defaults), ...others.map((account) => resolveAccount(account, defaults))];
}
