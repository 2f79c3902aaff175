/** The seed of every attack; a failure prints it, and ATTACK_SEED replays it. */
export const SEED = Number(process.env["ATTACK_SEED"] ?? 12);
