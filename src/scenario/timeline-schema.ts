import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { rateLimitValue } from "../document/account-values.ts";
import { complain, durationValue, keyThat } from "../document/values.ts";
import { CARRIERS } from "../domain/carrier.ts";
import { formatKes } from "../domain/kes.ts";
import type { TimelineAction, TimelineStep } from "../domain/scenario.ts";
import { isSenderId } from "../domain/sender-id.ts";
import { formatDuration } from "../domain/time.ts";
import { shillingsValue, stateValue, UNLESS_WRONG } from "./values.ts";

const senderIdKey = keyThat(isSenderId, {
  what: "a sender ID",
  repair: "write 5 or 6 digits, or at most 11 characters with a letter among them",
});

const working = optionalKey("down or up.", () => z.lazy(() => z.enum(["down", "up"])));

/** Each thing that can happen, read as the action that it is. */
const actionShape = {
  wallet: optionalKey("Sets the wallet.", () =>
    z
      .strictObject({ balance: shillingsValue.describe("KES that are available then.") })
      .transform(({ balance }): TimelineAction => ({ kind: "wallet", balance })),
  ),
  credentials: optionalKey("Revoked ones are answered with 401.", () =>
    z.enum(["revoked", "restored"]).transform((are): TimelineAction => ({ kind: "credentials", are })),
  ),
  sender_id: optionalKey("Takes a sender ID away from the account, or gives it back: { SANDBOX: revoked }.", () =>
    z
      .record(senderIdKey, z.enum(["revoked", "restored"]))
      .superRefine(checkOnlyEntry, UNLESS_WRONG)
      .transform((entries): TimelineAction => {
        const [senderId, is] = firstOf(entries);
        return { kind: "sender-id", senderId, is };
      }),
  ),
  carrier: optionalKey("A carrier that is down keeps results waiting until it is up: { airtel: down }.", () =>
    z
      .strictObject({ safaricom: working, airtel: working, telkom: working })
      .superRefine(checkOnlyEntry, UNLESS_WRONG)
      .transform((states): TimelineAction => {
        const changes = CARRIERS.flatMap((carrier) => (states[carrier] === undefined ? [] : [{ carrier, is: states[carrier] }]));
        return changes[0] === undefined ? z.NEVER : { kind: "carrier", ...changes[0] };
      }),
  ),
  rate_limit: optionalKey("Changes the rate limit: { requests: 5, per: 1s }, or none.", () =>
    z
      .union([z.literal("none").transform(() => null), rateLimitValue])
      .transform((limit): TimelineAction => ({ kind: "rate-limit", limit })),
  ),
  rule: optionalKey("Switches a rule by its name: { every third acknowledgment is slow: off }.", () =>
    z
      .record(z.string(), z.enum(["on", "off"]))
      .superRefine(checkOnlyEntry, UNLESS_WRONG)
      .transform((entries): TimelineAction => {
        const [rule, is] = firstOf(entries);
        return { kind: "rule", rule, is };
      }),
  ),
  enter: optionalKey("Moves the scenario to a named state.", () =>
    stateValue.transform((state): TimelineAction => ({ kind: "enter", state })),
  ),
};

const doValue = z.lazy(() =>
  z
    .strictObject(actionShape)
    .superRefine(checkOnlyAction, UNLESS_WRONG)
    .transform((written): TimelineAction => Object.values(written)[0] ?? z.NEVER),
);

/** One step of a file's timeline. */
export const stepValue = z.lazy(() =>
  z
    .strictObject({
      at: durationValue.describe("Counted from when the scenario began, on the account's clock."),
      do: doValue.describe("What happens then."),
    })
    .transform((step): TimelineStep => step),
);

/** The step as it stands in a file. */
export function printStep({ at, do: action }: TimelineStep): Record<string, unknown> {
  return { at: formatDuration(at), do: printAction(action) };
}

function checkOnlyAction(written: object, context: z.RefinementCtx): void {
  const [first, second] = Object.keys(written);
  if (first === undefined) complain(context, { problem: "is empty", repair: "write what happens, like credentials: revoked" });
  if (second !== undefined)
    complain(context, { path: [second], problem: `is a second thing beside ${first}`, repair: "write a step of its own" });
}

function checkOnlyEntry(entries: object, context: z.RefinementCtx): void {
  if (Object.keys(entries).length !== 1)
    complain(context, { problem: "needs exactly one entry", repair: "write a step of its own for each" });
}

/** The only entry: what is changed, and to what. */
function firstOf<State>(entries: Readonly<Record<string, State>>): [string, State] {
  return Object.entries(entries)[0] ?? z.NEVER;
}

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
