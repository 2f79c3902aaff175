import * as z from "zod";
import { type Breakage, BREAKAGES } from "./applied-rules.ts";
import type { Effect } from "./effect.ts";

const STAGES = ["before_accept", "after_accept"] as const;

type ConnectionEffect = `${Breakage}_${(typeof STAGES)[number]}`;

export const connection = {
  key: "connection",
  summary:
    "Breaks the connection before or after the request is accepted: reset, empty (closed without an answer), hang, truncate, garbage, drip.",
  schema: z.enum(BREAKAGES.flatMap((breakage) => STAGES.map((stage) => `${breakage}_${stage}` as const))),
  answer: (effect, { outcome }) =>
    outcome === "refused" && !isBeforeAccept(effect) ? {} : { breakage: breakageOf(effect) },
} satisfies Effect<"connection", ConnectionEffect>;

export function breakageOf(effect: ConnectionEffect): Breakage {
  return BREAKAGES.find((breakage) => effect.startsWith(`${breakage}_`)) ?? "reset";
}

export function isBeforeAccept(effect: ConnectionEffect): boolean {
  return effect.endsWith("_before_accept");
}
