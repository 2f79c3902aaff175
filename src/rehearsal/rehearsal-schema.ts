import { isMap } from "yaml";
import * as z from "zod";
import { fileJsonSchema } from "../document/json-schema.ts";
import { parseDocument } from "../document/parse-document.ts";
import type { Problem } from "../document/problem.ts";
import { keyText, type YamlSource } from "../document/yaml-source.ts";
import { clockValue } from "../settings/clock.ts";
import { rateLimitValue, senderIdsValue } from "../settings/account.ts";
import { SINK_URL } from "../domain/callback-outcome.ts";
import { carrierValue, complain, phoneNumberKey, textThat } from "../document/values.ts";
import { scenarioSchema } from "../scenario/schema.ts";
import { shillingsValue } from "../scenario/values.ts";
import { driveStepValue } from "./drive-schema.ts";
import { expectationValue } from "./expect-schema.ts";
import type { AccountUnderTest, Rehearsal } from "./rehearsal.ts";
import { unknownPlaceholders } from "./placeholders.ts";
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
const rehearsalSchema = z
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
    expect: z
      .array(expectationValue)
      .describe("What must hold afterwards; each is a check of the report. Defects fail the rehearsal also if the list is empty."),
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

export type ParsedRehearsal = { readonly rehearsal: Rehearsal } | { readonly problems: readonly Problem[] };

/** Reads a rehearsal from YAML or JSON text; all its mistakes come at once. */
export function parseRehearsal(text: string, file: string): ParsedRehearsal {
  const parsed = parseDocument(text, rehearsalSchema, { file });
  return "problems" in parsed ? parsed : { rehearsal: parsed.value };
}

/** Keys that a rehearsal has, and neither a scenario nor a config file. */
const OWN_KEYS = ["expect", "drive", "application"];

/** Whether a document is meant to be a rehearsal; it may still be wrong. */
export function isRehearsal({ document: { contents } }: YamlSource): boolean {
  return isMap(contents) && contents.items.some(({ key }) => OWN_KEYS.includes(keyText(key)));
}

/** The rehearsal file's shape for editors. */
export function rehearsalJsonSchema(): Record<string, unknown> {
  const description = "What an application is driven with, what goes wrong meanwhile, and what must hold afterwards.";
  return fileJsonSchema(rehearsalSchema, { title: "Kredo rehearsal", description });
}
