import type { WrittenAccount } from "../config/account-schema.ts";
import type { Config } from "../config/config-schema.ts";

/** Lays one flag's or variable's config over another; an account in it is the first one. */
export function mergeConfig(below: Config, above: Config): Config {
  const { accounts = [], ...settings } = above;
  const [first = {}, ...others] = below.accounts ?? [];
  return {
    ...below,
    ...settings,
    ...(above.admin && { admin: { ...below.admin, ...above.admin } }),
    ...(above.https && { https: { ...below.https, ...above.https } }),
    ...(above.log && { log: { ...below.log, ...above.log } }),
    accounts: [mergeAccount(withoutOwn(first, above), accounts[0] ?? {}), ...others],
  };
}

/** A seed or clock from the command line also comes before the one that the file gives the first account. */
function withoutOwn(first: WrittenAccount, above: Config): WrittenAccount {
  const { seed, clock, ...rest } = first;
  return {
    ...rest,
    ...(above.seed === undefined && seed !== undefined && { seed }),
    ...(above.clock === undefined && clock !== undefined && { clock }),
  };
}

function mergeAccount(below: WrittenAccount, above: WrittenAccount): WrittenAccount {
  return { ...below, ...above, ...(above.callbacks && { callbacks: { ...below.callbacks, ...above.callbacks } }) };
}
