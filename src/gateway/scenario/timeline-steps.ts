import type { Immutable } from "../domain/immutable.ts";
import * as z from "zod";
import { consumerSecretValue, rateLimitValue } from "../settings/account.ts";
import { addProblem, durationText, keyMatching, shillingsValue, SKIP_IF_INVALID } from "../document/values.ts";
import { forEachCarrier } from "../domain/carrier.ts";
import { isSenderId } from "../domain/sender-id.ts";
import { parseDuration, SECOND } from "../domain/time.ts";
import { timeOfDayValue } from "./matchers/between.ts";

const senderIdKey = keyMatching(isSenderId, {
  what: "a sender ID",
  repair: "write 5 or 6 digits, or at most 11 characters with at least one letter",
});

const working = z.enum(["down", "up"]).exactOptional().describe("down or up.");

const actionSchema = z.lazy(() =>
  z
    .strictObject({
      wallet: z
        .strictObject({
          balance: shillingsValue.exactOptional().describe("The available balance in KES."),
          add: shillingsValue.exactOptional().describe("KES to add."),
        })
        .superRefine(onlyOne("write balance or add"), SKIP_IF_INVALID)
        .exactOptional()
        .describe('Changes the wallet: { balance: "20.00" } or { add: "50.00" }.'),
      credentials: z
        .union([
          z.enum(["revoked", "restored"]),
          z.strictObject({ secret: consumerSecretValue.describe("The new secret.") }),
        ])
        .exactOptional()
        .describe(
          "revoked: every request gets 401; { secret: new-secret }: any other secret does; restored undoes both.",
        ),
      sender_id: z
        .record(senderIdKey, z.enum(["revoked", "restored"]))
        .superRefine(checkEntries, SKIP_IF_INVALID)
        .exactOptional()
        .describe("Revokes or restores a sender ID of the account: { SANDBOX: revoked }."),
      carrier: z
        .strictObject(forEachCarrier(() => working))
        .superRefine(checkEntries, SKIP_IF_INVALID)
        .exactOptional()
        .describe("Takes carriers down or up; results wait while a carrier is down: { airtel: down, telkom: down }."),
      rate_limit: z
        .union([z.literal("none"), rateLimitValue])
        .exactOptional()
        .describe("Changes the rate limit: { requests: 5, per: 1s }, or none."),
      rule: z
        .record(z.string(), z.enum(["on", "off"]))
        .superRefine(checkEntries, SKIP_IF_INVALID)
        .exactOptional()
        .describe("Switches rules on or off by name: { every third acknowledgment is slow: off }."),
    })
    .superRefine(onlyOne("write what happens, like credentials: revoked"), SKIP_IF_INVALID),
);

/** One automatic change. Exactly one of the keys is set. */
export type TimelineAction = Immutable<z.output<typeof actionSchema>>;

/** An action as written. */
export type WrittenAction = Immutable<z.input<typeof actionSchema>>;

/** What has a colon is meant as a time of day. */
const momentValue = z.string().superRefine((text, context) => {
  const meant = text.includes(":") ? timeOfDayValue : durationText;
  for (const { message, ...issue } of meant.safeParse(text).error?.issues ?? [])
    context.addIssue({ ...issue, message });
});

/** One step of a file's timeline. */
export const stepSchema = z.lazy(() =>
  z
    .strictObject({
      at: momentValue
        .exactOptional()
        .describe(
          'The time since the scenario started, or a time of day in Nairobi in quotes, "15:00", meaning the first one after the start. On the account\'s clock.',
        ),
      every: durationText
        .exactOptional()
        .describe(
          "Repeats the step at this interval, such as 5m. Without at, it runs for the first time one interval after the start. If time leaps, on any clock, each repetition is carried out.",
        ),
      do: actionSchema.describe("The change to make."),
    })
    .superRefine(checkTiming, SKIP_IF_INVALID),
);

/** One change at a moment of the scenario's time. */
export type TimelineStep = Immutable<z.output<typeof stepSchema>>;

function checkTiming({ at, every }: { at?: string; every?: string }, context: z.RefinementCtx): void {
  if (at === undefined && every === undefined)
    addProblem(context, { problem: "never happens", repair: "add at, like at: 60s, or every" });
  if (every !== undefined && (parseDuration(every) ?? 0) < SECOND)
    addProblem(context, {
      path: ["every"],
      problem: `${every} is too often`,
      repair: "write at least 1s",
    });
}

/** Refuses a mapping without a key, or with a second one. */
function onlyOne(repair: string): (written: object, context: z.RefinementCtx) => void {
  return (written, context) => {
    const [first, second] = Object.keys(written);
    if (first === undefined) addProblem(context, { problem: "is empty", repair });
    if (second !== undefined) {
      const problem = `cannot be combined with ${first}`;
      addProblem(context, { path: [second], problem, repair: "write a separate step" });
    }
  };
}

function checkEntries(entries: object, context: z.RefinementCtx): void {
  if (Object.keys(entries).length === 0)
    addProblem(context, { problem: "is empty", repair: "name what changes, or remove it" });
}
