import { inventCredentials } from "../adapters/random/seeded-random.ts";
import { inventOrganization } from "../adapters/random/organization.ts";
import { accountSettings, type AccountTemplate, accountValue, type Organization, type WrittenAccount } from "../settings/account.ts";
import type { SandboxSettings } from "../config/config-schema.ts";
import type { Swap } from "../account/decide/scenarios.ts";
import { contentKey } from "../domain/content-key.ts";
import { matchesGlob } from "../domain/glob.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Account } from "../engine/account.ts";
import { beginScenarios, swapOnAccount } from "../engine/commands.ts";
import { keyTaken, type World } from "../engine/world.ts";
import type { Random } from "../ports/random.ts";

/** The ways in which accounts come into a running sandbox. */
export interface AccountOpener {
  /** Opens one whose consumer key is reserved. */
  openReserved(template: AccountTemplate): Promise<Account>;
  /** From a description in which anything may be left out; then key and secret are made up. */
  readonly openWritten: (written: WrittenAccount, trusted: boolean) => Promise<Account>;
  /** Puts a scenario in the place of what it was before: on every account that runs it, and on those to come. */
  swapScenario(swap: Swap): Promise<void>;
  /** Whether `auto_accounts` matches a consumer key. */
  readonly opensFor: (consumerKey: string) => boolean;
  /** For a consumer key that nobody has yet, where `auto_accounts` matches it. Rejects with an `EngineError`, conflict, where it is taken. */
  readonly openUnknown: (consumerKey: string) => Promise<Account> | undefined;
}

interface OpenerOptions {
  readonly random: Random;
  /** What an account begins with. */
  readonly scenarios: readonly Scenario[];
  /** Whether an account of this key may be opened here. */
  readonly reserve: (consumerKey: string) => Promise<boolean>;
}

export function accountOpener(world: World, settings: SandboxSettings, { random, reserve, ...options }: OpenerOptions): AccountOpener {
  const opening = new Map<string, Promise<Account>>();
  let { scenarios } = options;
  const openReserved = (template: AccountTemplate): Promise<Account> => openWith(world, template, scenarios);
  const open = async (template: AccountTemplate): Promise<Account> => {
    if (!(await reserve(template.consumer_key))) throw keyTaken(template.consumer_key);
    return openReserved(template);
  };
  const { seed, clock, auto_accounts: autoAccounts } = settings;
  const resolve = (written: WrittenAccount, trusted: boolean): AccountTemplate =>
    accountSettings(written, { clock, trusted, ...(seed === undefined ? {} : { seed }) });
  const opensFor = (key: string): boolean => autoAccounts.some((pattern) => matchesGlob(pattern, key));
  return {
    openReserved,
    openWritten: async (written, trusted) => {
      // Of an earlier process more accounts may be left, or fewer, than were opened in this one.
      for (let number = world.opened; ; number += 1) {
        const invented = inventCredentials(random, seed === undefined ? undefined : `${seed}|account ${number}`);
        const template = resolve({ ...invented, ...written }, trusted);
        if (await reserve(template.consumer_key)) return openReserved(template);
        if (written.consumer_key !== undefined) throw keyTaken(written.consumer_key);
      }
    },
    swapScenario: async (swap) => {
      scenarios = scenarios.map((scenario) => (scenario.name === swap.was ? swap.scenario : scenario));
      for (const account of world.list()) swapOnAccount(account, swap);
    },
    opensFor,
    openUnknown: (key) => {
      if (!opensFor(key)) return undefined;
      const begun =
        opening.get(key) ??
        open({ ...resolve({ ...accountValue.parse({}), consumer_key: key }, true), any_secret: true }).finally(() => opening.delete(key));
      opening.set(key, begun);
      return begun;
    },
  };
}

async function openWith(world: World, template: AccountTemplate, scenarios: readonly Scenario[]): Promise<Account> {
  const account = world.open({ ...template, organization: await profile(template) });
  // Whoever wrote the config chose them, and owns this machine.
  beginScenarios(
    account,
    scenarios.map((scenario) => ({ scenario, trusted: true })),
  );
  return account;
}

/** The same key has the same profile, unless a seed says otherwise. */
async function profile({ organization, consumer_key: consumerKey, seed }: AccountTemplate): Promise<Organization> {
  return inventOrganization(contentKey(`${seed ?? ""}|${consumerKey}`), organization);
}
