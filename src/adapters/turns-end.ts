import type { TurnsEnd } from "../ports/turns-end.ts";

export const turnsEnd: TurnsEnd = (job) => void setImmediate(job);
