import type { Kes } from "../../domain/kes.ts";
import { shillingsValue } from "../../document/values.ts";
import type { Effect } from "./effect.ts";

export const wallet = {
  key: "wallet",
  summary: "Sets the available balance in KES, after the request: what it holds stays held.",
  schema: shillingsValue,
  answer: (balance) => ({ wallet: balance }),
} satisfies Effect<"wallet", Kes>;
