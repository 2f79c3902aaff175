import type { CallbackSettings, ClockSettings, Organization } from "../domain/settings.ts";
import type { WrittenAccount } from "./account-schema.ts";
import { BALANCE, CALLBACKS, CONSUMER_KEY, CONSUMER_SECRET, SENDER_IDS } from "./defaults.ts";
import type { AccountTemplate } from "./sandbox-settings.ts";

/** What an account has that its description leaves out. */
export interface AccountDefaults {
  readonly seed?: number;
  readonly clock: ClockSettings;
  /** Whether its callback URLs come from this machine's owner, so that public hosts may be called. */
  readonly trusted: boolean;
}

/** An account with every setting but the rest of its organization. */
export function resolveAccount(written: WrittenAccount, { clock, trusted, ...sandbox }: AccountDefaults): AccountTemplate {
  const seed = written.seed ?? sandbox.seed;
  const limit = written.rate_limit;
  return {
    consumerKey: written.consumer_key ?? CONSUMER_KEY,
    consumerSecret: written.consumer_secret ?? CONSUMER_SECRET,
    anySecret: false,
    balance: written.balance ?? BALANCE,
    ...(seed !== undefined && { seed }),
    clock: written.clock ?? clock,
    callbacks: resolveCallbacks(written.callbacks, trusted),
    senderIds: written.sender_ids ?? SENDER_IDS,
    organization: resolveOrganization(written.organization),
    ...(limit && { rateLimit: limit }),
  };
}

function resolveCallbacks(written: WrittenAccount["callbacks"] = {}, trusted: boolean): CallbackSettings {
  const { airtime, sms, ca, retry, traceparent } = written;
  return {
    urls: {
      ...(airtime !== undefined && { airtime: { url: airtime, trusted } }),
      ...(sms !== undefined && { sms: { url: sms, trusted } }),
    },
    timeout: written.timeout ?? CALLBACKS.timeout,
    concurrency: written.concurrency ?? CALLBACKS.concurrency,
    retry: { ...CALLBACKS.retry, ...retry },
    headers: written.headers ?? CALLBACKS.headers,
    ...(ca !== undefined && { ca }),
    insecure: written.insecure ?? CALLBACKS.insecure,
    ...(traceparent !== undefined && { traceparent }),
  };
}

function resolveOrganization(written: WrittenAccount["organization"] = {}): Partial<Organization> {
  const { office_email: officeEmail, office_mobile: officeMobile, top_up_code: topUpCode, ...same } = written;
  return {
    ...same,
    ...(officeEmail !== undefined && { officeEmail }),
    ...(officeMobile !== undefined && { officeMobile }),
    ...(topUpCode !== undefined && { topUpCode }),
  };
}
