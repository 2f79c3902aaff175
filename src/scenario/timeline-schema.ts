import * as z from "zod";
import { rateLimitValue } from "../document/account-values.ts";
import { carrierValue, complain, durationValue, keyThat } from "../document/values.ts";
import type { Carrier } from "../domain/carrier.ts";
import { formatKes } from "../domain/kes.ts";
import type { TimelineAction, TimelineStep } from "../domain/scenario.ts";
import { isSenderId } from "../domain/sender-id.ts";
import { formatDuration } from "../domain/time.ts";
import { shillingsValue, stateValue } from "./values.ts";

const senderIdKey = keyThat(isSenderId, {
  what: "a sender ID",
  repair: "write 5 or 6 digits, or at most 11 characters with a letter among them",
});

const doValue = z
  .strictObject({
    wallet: z
      .strictObject({ balance: shillingsValue.describe("KES that are available then.") })
      .describe("Sets the wallet.")
      .exactOptional(),
    credentials: z.enum(["revoked", "restored"]).describe("Revoked ones are answered with 401.").exactOptional(),
    sender_id: onlyOne(z.record(senderIdKey, z.enum(["revoked", "restored"])))
      .describe("Takes a sender ID away from the account, or gives it back: { SANDBOX: revoked }.")
      .exactOptional(),
    carrier: onlyOne(z.partialRecord(carrierValue, z.enum(["down", "up"])))
      .describe("A carrier that is down keeps results waiting until it is up: { airtel: down }.")
      .exactOptional(),
    rate_limit: z
      .union([z.literal("none"), rateLimitValue])
      .describe("Changes the rate limit: { requests: 5, per: 1s }, or none.")
      .exactOptional(),
    rule: onlyOne(z.record(z.string(), z.enum(["on", "off"])))
      .describe("Switches a rule by its name: { two refusals, then it works: off }.")
      .exactOptional(),
    enter: stateValue.describe("Moves the scenario to a named state.").exactOptional(),
  })
  .superRefine((written, context) => {
    const [first, second] = Object.keys(written);
    if (first === undefined) complain(context, { problem: "is empty", repair: "write what happens, like credentials: revoked" });
    if (second !== undefined)
      complain(context, { path: [second], problem: `is a second thing beside ${first}`, repair: "write a step of its own" });
  });

type Written = z.output<typeof doValue>;

/** One step of a file's timeline. */
export const stepValue = z
  .strictObject({
    at: durationValue.describe("Counted from when the scenario began, on the account's clock."),
    do: doValue.describe("What happens then."),
  })
  .transform(({ at, do: written }): TimelineStep => ({ at, do: readAction(written) }));

/** The step as it stands in a file. */
export function printStep({ at, do: action }: TimelineStep): Record<string, unknown> {
  return { at: formatDuration(at), do: printAction(action) };
}

function onlyOne<Schema extends z.ZodType<object>>(mapping: Schema): Schema {
  return mapping.refine((written) => Object.keys(written).length === 1, {
    error: "needs exactly one entry",
    params: { repair: "write a step of its own for each" },
  });
}

function readAction({ wallet, credentials, sender_id: senderId, carrier, rate_limit: limit, rule, enter = "" }: Written): TimelineAction {
  if (wallet) return { kind: "wallet", balance: wallet.balance };
  if (credentials) return { kind: "credentials", are: credentials };
  for (const [id, is] of Object.entries(senderId ?? {})) return { kind: "sender-id", senderId: id, is };
  for (const name of CARRIER_NAMES) {
    const is = carrier?.[name];
    if (is) return { kind: "carrier", carrier: name, is };
  }
  if (limit) return { kind: "rate-limit", limit: limit === "none" ? null : limit };
  for (const [name, is] of Object.entries(rule ?? {})) return { kind: "rule", rule: name, is };
  return { kind: "enter", state: enter };
}

const CARRIER_NAMES: readonly Carrier[] = carrierValue.options;

function printAction(action: TimelineAction): Record<string, unknown> {
  switch (action.kind) {
    case "wallet":
      return { wallet: { balance: formatKes(action.balance) } };
    case "credentials":
      return { credentials: action.are };
    case "sender-id":
      return { sender_id: { [action.senderId]: action.is } };
    case "carrier":
      return { carrier: { [action.carrier]: action.is } };
    case "rate-limit":
      return { rate_limit: action.limit === null ? "none" : { requests: action.limit.requests, per: formatDuration(action.limit.per) } };
    case "rule":
      return { rule: { [action.rule]: action.is } };
    case "enter":
      return { enter: action.state };
  }
}
