import { inventCredentials, inventTopUpCode } from "./adapters/random/seeded-random.ts";
import { accountSettings, type AccountTemplate, accountValue, type WrittenAccount } from "./settings/account.ts";
import type { MockSettings } from "./settings/mock.ts";
import type { Swap } from "./account/decide/scenarios.ts";
import type { Random } from "./domain/draws.ts";
import { CONSUMER_KEY_FORM, isConsumerKey } from "./domain/consumer-key.ts";
import { matchesGlob } from "./domain/glob.ts";
import type { Scenario } from "./scenario/schema.ts";
import type { RunningAccount } from "./engine/account.ts";
import { beginScenarios, swapOnAccount } from "./engine/commands.ts";
import { duplicateKeyError, type World } from "./engine/world.ts";
import { counted } from "./domain/counted.ts";
import type { AuthDependencies } from "./http/authenticate.ts";

/** Opens accounts in a running sandbox. */
export interface AccountOpener extends Pick<AuthDependencies, "openUnknown" | "opensFor" | "reasonNotOpened"> {
  /** Opens an account whose consumer key is already reserved. */
  openReserved(template: AccountTemplate): RunningAccount;
  /** Opens an account from a description. Any key may be omitted; a missing consumer key or secret is generated. */
  readonly openWritten: (written: WrittenAccount, trusted: boolean) => Promise<RunningAccount>;
  /** Replaces a scenario with its new version, on every account that runs it and on accounts opened later. */
  swapScenario(swap: Swap): void;
}

interface OpenerOptions {
  readonly random: Random;
  /** The scenarios that every new account starts with. */
  readonly scenarios: readonly Scenario[];
  /** Claims a consumer key for a new account. Resolves to false if the key is taken. */
  readonly reserve: (consumerKey: string) => Promise<boolean>;
}

export function accountOpener(
  world: World,
  settings: MockSettings,
  { random, reserve, ...options }: OpenerOptions,
): AccountOpener {
  const opening = new Map<string, Promise<RunningAccount>>();
  let { scenarios } = options;
  const openReserved = (template: AccountTemplate): RunningAccount => openWith(world, template, random, scenarios);
  const open = async (template: AccountTemplate): Promise<RunningAccount> => {
    if (!(await reserve(template.consumer_key))) throw duplicateKeyError(template.consumer_key);
    return openReserved(template);
  };
  const { seed, clock, auto_accounts: autoAccounts, max_auto_accounts: most } = settings;
  const resolve = (written: WrittenAccount, trusted: boolean): AccountTemplate =>
    accountSettings(written, { seed, clock, trusted });
  const matches = (key: string): boolean => autoAccounts.some((pattern) => matchesGlob(pattern, key));
  const isFull = (): boolean => world.size + opening.size >= most;
  const opensFor = (key: string): boolean => matches(key) && isConsumerKey(key) && (opening.has(key) || !isFull());
  return {
    openReserved,
    openWritten: async (written, trusted) => {
      // Accounts of an earlier process may be left, so `world.opened` may name a number that is already taken.
      for (let number = world.opened; ; number += 1) {
        const invented = inventCredentials(random, seed === undefined ? undefined : `${seed}|account ${number}`);
        const template = resolve({ ...invented, ...written }, trusted);
        if (await reserve(template.consumer_key)) return openReserved(template);
        if (written.consumer_key !== undefined) throw duplicateKeyError(written.consumer_key);
      }
    },
    swapScenario: (swap) => {
      scenarios = scenarios.map((scenario) => (scenario.name === swap.was ? swap.scenario : scenario));
      for (const account of world.list()) swapOnAccount(account, swap);
    },
    opensFor,
    reasonNotOpened: (key) => {
      if (!matches(key)) return undefined;
      if (!isConsumerKey(key)) return NOT_A_KEY;
      return isFull() ? tooMany(most) : undefined;
    },
    openUnknown: (key) => {
      if (!opensFor(key)) return undefined;
      const template = resolve({ ...accountValue.parse({}), consumer_key: key }, true);
      const begun = opening.get(key) ?? open({ ...template, any_secret: true }).finally(() => opening.delete(key));
      opening.set(key, begun);
      return begun;
    },
  };
}

const NOT_A_KEY = `auto_accounts opens none for what is not a consumer key; ${CONSUMER_KEY_FORM.repair}`;

function tooMany(most: number): string {
  return `auto_accounts opens no more than ${counted(most, "account")}; delete some, or raise max_auto_accounts`;
}

function openWith(
  world: World,
  template: AccountTemplate,
  random: Random,
  scenarios: readonly Scenario[],
): RunningAccount {
  const { seed, consumer_key: consumerKey, organization } = template;
  const code = inventTopUpCode(random, seed === undefined ? `|${consumerKey}` : `${seed}`);
  const account = world.open({ ...template, organization: { top_up_code: code, ...organization } });
  // The owner of this machine chose these scenarios, so they are trusted.
  beginScenarios(
    account,
    scenarios.map((scenario) => ({ scenario, trusted: true })),
  );
  return account;
}
