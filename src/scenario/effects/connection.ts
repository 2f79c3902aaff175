import * as z from "zod";
import { BREAKAGES, type ConnectionEffect } from "../../domain/scenario.ts";
import type { Effect } from "./effect.ts";

const STAGES = ["before_accept", "after_accept"] as const;

const BROKEN = BREAKAGES.flatMap((breakage) => STAGES.map((stage) => ({ breakage, stage })));

export const connection: Effect<ConnectionEffect> = {
  summary:
    "Breaks the connection before or after the request is accepted: reset, empty (closed without an answer), hang, truncate, garbage, drip.",
  schema: z.enum(BROKEN.map(spell)).transform((written): ConnectionEffect => BROKEN.find((effect) => spell(effect) === written) ?? z.NEVER),
  print: spell,
  tell: ({ breakage, stage }) => `connection broken (${breakage}) ${stage === "before_accept" ? "before" : "after"} acceptance`,
};

function spell({ breakage, stage }: ConnectionEffect): `${ConnectionEffect["breakage"]}_${ConnectionEffect["stage"]}` {
  return `${breakage}_${stage}`;
}
