import * as z from "zod";
import { clockValue } from "../config/clock-schema.ts";
import { rateLimitValue, senderIdsValue } from "../document/account-values.ts";
import { carrierValue, complain, phoneNumberKey, textThat } from "../document/values.ts";
import { SINK_URL } from "../domain/settings.ts";
import { scenarioSchema } from "../scenario/schema.ts";
import { shillingsValue } from "../scenario/values.ts";
import { driveStepValue } from "./drive-schema.ts";
import { expectationValue } from "./expect-schema.ts";
import type { AccountUnderTest, Rehearsal } from "./rehearsal.ts";
import { unknownPlaceholders } from "./unknown-placeholders.ts";
import { isUrl } from "./values.ts";

const nameValue = textThat((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a rehearsal's name",
  repair: "write letters, digits, dots and dashes, like lost-acknowledgment",
});

const applicationValue = textThat((text) => isUrl(text) && !/[{}]/.test(text), {
  what: "a URL",
  repair: "write one like http://localhost:3000",
});

const callbackValue = textThat((text) => text === SINK_URL || isUrl(text), {
  what: "a URL",
  repair: `write {app} and a path, like {app}/hooks/airtime, or http:// or https:// and a host, or ${SINK_URL}`,
});

const accountValue = z
  .strictObject({
    wallet: z
      .strictObject({ balance: shillingsValue.describe("KES that are available at the start.") })
      .describe("The wallet.")
      .exactOptional(),
    sender_ids: senderIdsValue
      .describe("Registered sender IDs, instead of the account's own: a text, or a mapping with its carriers.")
      .exactOptional(),
    callbacks: z
      .strictObject({
        airtime: callbackValue.describe(`URL for airtime results: {app}/hooks/airtime, or ${SINK_URL}.`).exactOptional(),
        sms: callbackValue.describe(`URL for delivery reports: {app}/hooks/sms, or ${SINK_URL}.`).exactOptional(),
      })
      .describe("Callback URLs, each instead of the account's own.")
      .exactOptional(),
    numbers: z
      .strictObject({
        ported: z
          .record(phoneNumberKey, carrierValue)
          .describe('The carrier that serves a number, whatever its prefix says: { "254722000111": airtel }.')
          .exactOptional(),
      })
      .describe("Phone numbers.")
      .exactOptional(),
    rate_limit: rateLimitValue.describe("Requests allowed in a period.").exactOptional(),
  })
  .transform(({ wallet, sender_ids: senderIds, callbacks, numbers, rate_limit: rateLimit }): AccountUnderTest => ({
    ...(wallet && { balance: wallet.balance }),
    ...(senderIds && { senderIds }),
    ...(callbacks && { callbacks }),
    ...(numbers?.ported && { ported: numbers.ported }),
    ...(rateLimit && { rateLimit }),
  }));

const referenceValue = textThat((text) => text.trim() !== "", { what: "a scenario", repair: "write its name, or the path of its file" });

/** A rehearsal file. */
export const rehearsalSchema = z
  .strictObject({
    $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
    version: z.literal(1).describe("The version of this format: 1."),
    name: nameValue.describe("What it is called in commands and reports."),
    description: z.string().describe("The story it tells, in a sentence or two.").exactOptional(),
    application: applicationValue.describe("Where the application is, for {app}; --app and KREDO_APP come before it.").exactOptional(),
    clock: clockValue
      .describe("The account's clock: real, manual, or x and a speed. The application's own timers do not follow it. Default real.")
      .exactOptional(),
    seed: z.int().min(0).describe("The account's seed; a new one each time if not given. --seed comes before it.").exactOptional(),
    account: accountValue.describe("What the account is changed to before the first step.").exactOptional(),
    scenario: z
      .union([referenceValue, scenarioSchema, z.array(z.union([referenceValue, scenarioSchema]))])
      .transform((written) => (Array.isArray(written) ? written : [written]))
      .describe(
        "What goes wrong: the name of a shipped scenario, a path beside this file, a scenario itself, or a list of them. No other is active.",
      )
      .exactOptional(),
    drive: z.array(driveStepValue).describe("What is done, in order.").exactOptional(),
    expect: z.array(expectationValue).min(1).describe("What must hold afterwards; each is a check of the report."),
  })
  .superRefine((written, context) => {
    for (const complaint of unknownPlaceholders(written)) complain(context, complaint);
  })
  .transform(
    ({ name, description, application, clock = { mode: "real" }, seed, account = {}, scenario = [], drive = [], expect }): Rehearsal => ({
      name,
      ...(description !== undefined && { description }),
      ...(application !== undefined && { application }),
      clock,
      ...(seed !== undefined && { seed }),
      account,
      scenarios: scenario,
      drive,
      expect,
    }),
  );
