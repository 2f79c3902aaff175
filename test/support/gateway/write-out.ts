import type { AccountState } from "../../../src/gateway/account/state.ts";

/** All of a state as text, its maps and sets in their order. */
export function writeOut(state: AccountState | undefined): string {
  return JSON.stringify(state, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
}
