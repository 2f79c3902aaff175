import type { Effects } from "../domain/scenario.ts";
import { EFFECT_KEYS, type EffectKey } from "./effect-keys.ts";
import { ack } from "./effects/ack.ts";
import { callback } from "./effects/callback.ts";
import { connection } from "./effects/connection.ts";
import type { Effect } from "./effects/effect.ts";
import { enter } from "./effects/enter.ts";
import { refuse } from "./effects/refuse.ts";
import { result } from "./effects/result.ts";

/** Required, so that an effect without an entry does not compile. */
type EveryEffect = Required<Effects>;

type EffectTable = { readonly [Key in keyof EveryEffect]: Effect<EveryEffect[Key]> };

/** Every effect. The schema, the printer and the table in the docs read this one. */
export const EFFECTS: EffectTable = { refuse, connection, ack, result, callback, enter };

/** The effects as they stand in a file. */
export function printEffects(effects: Effects): Record<string, unknown> {
  return Object.fromEntries(EFFECT_KEYS.flatMap((key) => printEffect(key, effects[key])));
}

/** The effects in words: `acknowledged after 5s; callback never sent`. */
export function tellEffects(effects: Effects): string {
  return EFFECT_KEYS.flatMap((key) => tellEffect(key, effects[key])).join("; ") || "nothing";
}

function printEffect<Key extends EffectKey>(key: Key, effect: EveryEffect[Key] | undefined): [string, unknown][] {
  return effect === undefined ? [] : [[key, EFFECTS[key].print(effect)]];
}

function tellEffect<Key extends EffectKey>(key: Key, effect: EveryEffect[Key] | undefined): string[] {
  return effect === undefined ? [] : [EFFECTS[key].tell(effect)];
}
