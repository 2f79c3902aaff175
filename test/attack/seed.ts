/** The seed of every drawn attack. */
export const SEED = Number(process.env["ATTACK_SEED"] ?? 12);
