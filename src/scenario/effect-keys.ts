import type { Effects } from "../domain/scenario.ts";

export type EffectKey = keyof Effects;

/** Required, so that an effect without its place does not compile. */
const PLACES: Readonly<Record<EffectKey, number>> = { refuse: 1, connection: 2, ack: 3, result: 4, callback: 5, enter: 6 };

/** Every effect, in the order they are told; the director needs no more of them. */
export const EFFECT_KEYS: readonly EffectKey[] = Object.keys(PLACES).filter(isEffectKey);

function isEffectKey(key: string): key is EffectKey {
  return Object.hasOwn(PLACES, key);
}
